import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deferredOver } from '#components/kit/deferred-over'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import type { TablePreferencesDialogProps } from './table-preferences-dialog'

const Dialog = deferredOver(async () => (await import('./table-preferences-dialog')).TablePreferencesDialog)

/** The dialog is loaded when it is opened: few open it. */
export function TablePreferencesButton(props: Omit<TablePreferencesDialogProps, 'onClose'>) {
  const say = useTranslations('layout.preferences')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Tool look="quiet" icon={screenIcons.columns} label={say('title')} onPress={() => setOpen(true)} />
      {isOpen && <Dialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
