import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { closeStaying, Toasts, toast } from '#components/kit/toast'
import { takeChanges } from '#lib/client/calls'
import { CallsButton } from './calls-button'

export type FlashMessage = {
  type: 'success' | 'error' | 'warning' | 'info'
  header?: ReactNode
  content: ReactNode
  action?: ReactNode
}

const kinds = { success: 'good', error: 'bad', warning: 'warn', info: 'info' } as const

/** A success also shows the requests that it is about. */
function notify(message: FlashMessage | string): void {
  const { type, header, content, action } =
    typeof message === 'string' ? { type: 'success' as const, content: message } : message
  const calls = takeChanges()
  const hasCalls = type === 'success' && calls.length > 0
  toast({
    kind: kinds[type],
    title: header,
    text: content,
    actions: (action || hasCalls) && (
      <>
        {action}
        {hasCalls && <CallsButton look="quiet" find={() => calls} />}
      </>
    ),
  })
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
