import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { AppButton } from '#components/base/screens/app-link'
import { useSingleKeys } from '#components/base/screens/use-single-keys'
import { Button } from '#components/kit/button'
import { closeStaying, Toasts, toast } from '#components/kit/toast'
import { type Call, takeChanges } from '#lib/client/calls'
import { CallsButton } from './calls-button'

export type FlashMessage = {
  type: 'success' | 'error' | 'warning' | 'info'
  header?: ReactNode
  content: ReactNode
  undo?: (() => void) | undefined
  /** Shows what the message is about: a screen, or a place on this one. */
  open?: ({ text?: string } & ({ to: string } | { run: () => void })) | undefined
  action?: ReactNode
}

const kinds = { success: 'good', error: 'bad', warning: 'warn', info: 'info' } as const

/** A success also shows the requests that it is about. */
function notify(message: FlashMessage | string): void {
  const shown: FlashMessage = typeof message === 'string' ? { type: 'success', content: message } : message
  const { type, header, content, action, undo, open } = shown
  const calls = takeChanges()
  const hasCalls = type === 'success' && calls.length > 0
  toast({
    kind: kinds[type],
    title: header,
    text: content,
    actions: (action || undo || open || hasCalls) && (
      <Actions {...shown} calls={hasCalls ? calls : undefined} />
    ),
  })
}

/** Undo and Open also have keys (`pageKeys`). */
function Actions({ action, undo, open, calls }: FlashMessage & { calls: readonly Call[] | undefined }) {
  const say = useTranslations('common')
  const [hasSingleKeys] = useSingleKeys()
  const [isUndone, setUndone] = useState(false)
  const openKey = { look: 'quiet', 'data-key': 'o', keyHint: hasSingleKeys ? 'o' : undefined } as const
  const openText = open?.text ?? say('open')
  return (
    <>
      {undo && (
        <Button
          disabled={isUndone}
          onPress={() => {
            setUndone(true)
            undo()
          }}
          data-key="z"
          keyHint={hasSingleKeys ? 'z' : undefined}
        >
          {say('undo')}
        </Button>
      )}
      {open && 'to' in open && (
        <AppButton {...openKey} to={open.to}>
          {openText}
        </AppButton>
      )}
      {open && 'run' in open && (
        <Button {...openKey} onPress={open.run}>
          {openText}
        </Button>
      )}
      {action}
      {calls && <CallsButton look="quiet" find={() => calls} />}
    </>
  )
}

/** `const notify = useFlash()`; `notify('Scope saved')`, or another message than a success. */
export const useFlash = () => notify

/** The message that shows, in the corner of every screen. */
export function Flashes() {
  const { pathname } = useLocation()
  const say = useTranslations('layout.navigation')
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname) closeStaying()
    shown.current = pathname
  }, [pathname])
  return <Toasts label={say('messages')} closeLabel={say('dismiss')} />
}
