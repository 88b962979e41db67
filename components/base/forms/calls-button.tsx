import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, type ButtonProps } from '#components/kit/button'
import type { Call } from '#lib/client/calls'

const CallsDialog = lazy(async () => ({ default: (await import('./calls-dialog')).CallsDialog }))

type CallsButtonProps = {
  look: ButtonProps['look']
  /** Asked each time that the dialog opens. */
  find: () => readonly Call[] | Promise<readonly Call[]>
}

/** Shows requests as commands for a shell. */
export function CallsButton({ look, find }: CallsButtonProps) {
  const say = useTranslations('layout.calls')
  const [found, setFound] = useState<Promise<readonly Call[]>>()
  const open = () => setFound(Promise.resolve(find()))
  return (
    <>
      <Button look={look} onPress={open}>
        {say('button')}
      </Button>
      <Suspense>{found && <CallsDialog found={found} onClose={() => setFound(undefined)} />}</Suspense>
    </>
  )
}
