import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { AppButton } from '#components/base/screens/app-link'
import { useSingleKeys } from '#components/base/screens/use-single-keys'
import { Button } from '#components/kit/button'
import { closeStaying, Toasts, toast } from '#components/kit/toast'
import { type Change, takeChanges } from '#lib/client/calls'
import { type LinkDocument, linkOf } from '#lib/ground/http/view'
import { useEventOf } from '#lib/record/events/news.queries'
import { useUndo } from '#lib/record/jobs/jobs.queries'
import { CallsButton } from './calls-button'
import { FailureText } from './failure'
import { useOneAtATime } from './one-at-a-time'

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

/** A success also shows the requests that it is about, and offers to undo them and to open what they changed. */
function notify(message: FlashMessage | string): void {
  const shown: FlashMessage = typeof message === 'string' ? { type: 'success', content: message } : message
  const { type, header, content, action, undo, open } = shown
  const changes = takeChanges()
  const hasChanges = type === 'success' && changes.length > 0
  toast({
    kind: kinds[type],
    title: header,
    text: content,
    actions: (action || undo || open || hasChanges) && (
      <Actions {...shown} changes={hasChanges ? changes : []} />
    ),
  })
}

type ScreenOf = (link: LinkDocument | undefined) => string | undefined

const ScreenOfContext = createContext<ScreenOf>(() => undefined)

/** An undo could be undone, but who undoes a change wants to see no other Undo. */
const isUndo = ({ call }: Change): boolean => call.address.endsWith('/action/undo')

/** What the message itself does not bring follows from the event of the last change: no screen can forget it. */
function useOffers({ content, undo, open }: FlashMessage, changes: readonly Change[]) {
  const say = useTranslations('common')
  const last = changes.at(-1)
  const event = useEventOf(last && !(undo && open) && !isUndo(last) ? last : undefined)
  const undoing = useUndo(() => undefined)
  const guard = useOneAtATime()
  const screenOf = useContext(ScreenOfContext)
  const { pathname } = useLocation()
  const undone = (
    <>
      {say('undone')} {content}
    </>
  )
  const screen = event && screenOf(linkOf(event, 'entity'))
  const undoEvent = async (id: number) => {
    try {
      await undoing.mutateAsync(id)
      notify({ type: 'success', content: undone })
    } catch (error) {
      notify({ type: 'error', header: say('notUndone'), content: <FailureText error={error} /> })
    }
  }
  return {
    undo: undo ?? (event && linkOf(event, 'undo') && (() => guard(() => undoEvent(event.id)))),
    open: open ?? (screen !== undefined && screen.split('?')[0] !== pathname ? { to: screen } : undefined),
  }
}

type ActionsProps = FlashMessage & { changes: readonly Change[] }

/** Undo and Open also have keys (`pageKeys`). */
function Actions({ changes, ...message }: ActionsProps) {
  const { action } = message
  const { undo, open } = useOffers(message, changes)
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
      {changes.length > 0 && <CallsButton look="quiet" find={() => changes.map(({ call }) => call)} />}
    </>
  )
}

/** `const notify = useFlash()`; `notify('Scope saved')`, or another message than a success. */
export const useFlash = () => notify

/** The message that shows, in the corner of every screen. `screenOf`: the screen of a link that the user may open. */
export function Flashes({ screenOf }: { screenOf: ScreenOf }) {
  const { pathname } = useLocation()
  const say = useTranslations('layout.navigation')
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname) closeStaying()
    shown.current = pathname
  }, [pathname])
  return (
    <ScreenOfContext value={screenOf}>
      <Toasts label={say('messages')} closeLabel={say('dismiss')} />
    </ScreenOfContext>
  )
}
