import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { RequiresPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { useMissing } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { Tool } from '#components/kit/tool'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'

const PublishDialog = deferredOver(async () => (await import('./publish-dialog')).PublishDialog)

type PublishButtonProps = { machine?: VirtualMachineDocument; isMain?: boolean }

export function PublishButton({ machine, isMain = false }: PublishButtonProps) {
  const say = useTranslations('publish')
  const needs = useNeeds()
  const missing = useMissing(...access.publish)
  const change = useSearchChange()
  // The palette opens the dialog on the first screen.
  const isAsked = useSearchParams()[0].get('do') === 'publish'
  const [isOpen, setOpen] = useState(isAsked && missing.length === 0)
  const close = () => {
    setOpen(false)
    if (isAsked) change({ do: undefined })
  }
  return (
    <RequiresPrivilege missing={missing}>
      <Tool
        look={isMain ? 'main' : 'plain'}
        refused={missing.length > 0 ? needs(...missing) : undefined}
        onPress={() => setOpen(true)}
      >
        {say('button')}
      </Tool>
      {isOpen && <PublishDialog machine={machine} onClose={close} />}
    </RequiresPrivilege>
  )
}
