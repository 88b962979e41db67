import Button from '@cloudscape-design/components/button'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { TablePreferencesDialogProps } from './table-preferences-dialog'

const Dialog = lazy(async () => ({
  default: (await import('./table-preferences-dialog')).TablePreferencesDialog,
}))

/** The dialog is loaded when it is opened: few open it, and moving columns by mouse and keys takes 80 kB of code. */
export function TablePreferencesButton(props: TablePreferencesDialogProps) {
  const say = useTranslations('layout.preferences')
  const [isWanted, setWanted] = useState(false)
  const button = (
    <Button
      variant="icon"
      iconName="settings"
      ariaLabel={say('title')}
      loading={isWanted}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Dialog {...props} />
    </Suspense>
  )
}
