import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ButtonProps } from '#components/kit/button'
import { deferredOver } from '#components/kit/deferred-over'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import type { Call } from '#lib/client/calls'

const CallsDialog = deferredOver(async () => (await import('./calls-dialog')).CallsDialog)

type CallsButtonProps = {
  look: ButtonProps['look']
  /** As an icon alone. */
  isBare?: boolean
  /** Asked each time that the dialog opens. */
  find: () => readonly Call[] | Promise<readonly Call[]>
}

/** Shows requests as commands for a shell. */
export function CallsButton({ look, isBare = false, find }: CallsButtonProps) {
  const say = useTranslations('layout.calls')
  const [found, setFound] = useState<Promise<readonly Call[]>>()
  const open = () => setFound(Promise.resolve(find()))
  return (
    <>
      <Tool look={look} icon={screenIcons.api} label={say('button')} onPress={open}>
        {isBare ? undefined : say('button')}
      </Tool>
      {found && <CallsDialog found={found} onClose={() => setFound(undefined)} />}
    </>
  )
}
