import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Blocker, useBeforeUnload, useBlocker } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import { Dialog } from './dialog'

type Blocked = Extract<Blocker, { state: 'blocked' }>

type Guard = { loses: () => boolean; ask: (blocked: Blocked) => void }

/** The guards on the screen, the newest last. */
const guards = new Set<Guard>()

/** The router takes one blocker at a time, but a form and a dialog over it each have a guard. */
export function LeaveBlocker() {
  const [visit, setVisit] = useState(0)
  // After a screen was hidden and shown again, as by a sign-in in place, `useBlocker` would register its old blocker beside a new one
  // (remix-run/react-router#11430). A new instance begins without any.
  useEffect(() => () => setVisit((now) => now + 1), [])
  return <OneBlocker key={visit} />
}

function OneBlocker() {
  const asking = useRef<Guard>(undefined)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const leaves = currentLocation.pathname !== nextLocation.pathname
    asking.current = leaves ? [...guards].findLast(({ loses }) => loses()) : undefined
    return asking.current !== undefined
  })
  useEffect(() => {
    if (blocker.state === 'blocked') asking.current?.ask(blocker)
  }, [blocker])
  return null
}

type LeaveGuardProps = {
  /** Whether leaving now would lose something. */
  loses: () => boolean
  /** The question and its reason; "Leave without saving?" if absent. */
  header?: string
  children?: ReactNode
  /** A button for another way to leave. */
  otherWay?: ReactNode
}

/** Asks before the user leaves the page by a link, by the browser's buttons or by closing the tab. */
export function LeaveGuard({ loses, header, otherWay, children }: LeaveGuardProps) {
  const say = useTranslations('forms.leave')
  const [blocked, setBlocked] = useState<Blocked>()
  const losesNow = useEffectEvent(loses)
  useEffect(() => {
    const guard: Guard = { loses: () => losesNow(), ask: setBlocked }
    guards.add(guard)
    return () => {
      guards.delete(guard)
    }
  }, [])
  useBeforeUnload((event) => {
    if (loses()) event.preventDefault()
  })
  if (!blocked) return null
  const answer = (does: 'proceed' | 'reset') => {
    setBlocked(undefined)
    blocked[does]()
  }
  return (
    <Dialog
      header={header ?? say('title')}
      onDismiss={() => answer('reset')}
      actions={
        <>
          <Button look="quiet" onPress={() => answer('proceed')}>
            {say('leave')}
          </Button>
          {otherWay}
          <Button look="main" onPress={() => answer('reset')}>
            {say('stay')}
          </Button>
        </>
      }
    >
      {children ?? say('text')}
    </Dialog>
  )
}
