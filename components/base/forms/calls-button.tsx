import Link from '@cloudscape-design/components/link'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import type { Call } from '#lib/client/calls'

const CallsDialog = lazy(async () => ({ default: (await import('./calls-dialog')).CallsDialog }))

type CallsButtonProps = {
  /** `info`: beside the breadcrumbs. */
  variant: 'info' | 'link' | 'normal'
  /** Asked each time that the dialog opens. */
  find: () => readonly Call[] | Promise<readonly Call[]>
}

/** Shows requests as commands for a shell. */
export function CallsButton({ variant, find }: CallsButtonProps) {
  const say = useTranslations('layout.calls')
  const [found, setFound] = useState<Promise<readonly Call[]>>()
  const open = () => setFound(Promise.resolve(find()))
  return (
    <>
      {variant === 'info' ? (
        <Link variant="info" onFollow={open}>
          {say('button')}
        </Link>
      ) : (
        <Button onPress={open}>{say('button')}</Button>
      )}
      <Suspense>{found && <CallsDialog found={found} onClose={() => setFound(undefined)} />}</Suspense>
    </>
  )
}
