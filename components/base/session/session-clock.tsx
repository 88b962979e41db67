import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { Button } from '#components/kit/button'
import { renewSession, sessionQuery, signOut } from '#lib/caller/auth/session.queries'
import { noteTouch, wasTouchedSince } from '#lib/client/activity'
import { tellTabs } from '#lib/client/tabs'
import { Seconds, useSecondsLeft } from './waiting-time'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Warns before the session ends, and renews it once a minute while the user is active. */
export function SessionClock() {
  const client = useQueryClient()
  const { data: session, dataUpdatedAt: askedAt } = useQuery(sessionQuery)
  const endsAt = session ? askedAt + session.secondsLeft * SECOND : Number.POSITIVE_INFINITY
  const idleLimit = (session?.idleLimit ?? 0) * SECOND
  const warnsAt = endsAt - Math.min(2 * MINUTE, idleLimit / 3)
  const [isWarning, setWarning] = useState(false)

  useEffect(() => {
    setWarning(Date.now() >= warnsAt)
    if (endsAt === Number.POSITIVE_INFINITY) return
    const ask = () => void renewSession(client)
    const timers = [warnsAt, endsAt]
      .filter((moment) => moment > Date.now())
      .map((moment) => setTimeout(ask, moment - Date.now() + 100))
    return () => timers.forEach(clearTimeout)
  }, [client, endsAt, warnsAt])
  useEffect(() => {
    const timer = setInterval(
      () => {
        if (wasTouchedSince(askedAt)) void renewSession(client)
      },
      Math.min(MINUTE, idleLimit / 10),
    )
    return () => clearInterval(timer)
  }, [client, askedAt, idleLimit])

  if (!session || !isWarning) return null
  const isLast = session.secondsLeftAtMost <= session.secondsLeft
  const stay = async () => {
    noteTouch()
    await renewSession(client)
    tellTabs({ type: 'session' })
  }
  const leave = async () => {
    await signOut()
    await renewSession(client)
  }
  const close = () => (isLast ? setWarning(false) : void stay())
  return <Warning endsAt={endsAt} isLast={isLast} onStay={stay} onClose={close} onLeave={leave} />
}

type WarningProps = {
  endsAt: number
  /** The session reaches its maximum length: only a new sign-in continues. */
  isLast: boolean
  onStay: () => void
  onClose: () => void
  onLeave: () => void
}

function Warning({ endsAt, isLast, onStay, onClose, onLeave }: WarningProps) {
  const say = useTranslations('layout.session')
  const sayTopBar = useTranslations('layout.topBar')
  const left = <Seconds left={useSecondsLeft(endsAt)} />
  return (
    <Dialog
      header={say(isLast ? 'aboutToEnd' : 'stillThere')}
      closeLabel={isLast ? undefined : say('stay')}
      onDismiss={onClose}
      actions={
        <>
          <Button look={isLast ? 'main' : 'quiet'} onPress={onLeave}>
            {isLast ? say('signInAgain') : sayTopBar('signOut')}
          </Button>
          {!isLast && (
            <Button look="main" autoFocus onPress={onStay}>
              {say('stay')}
            </Button>
          )}
        </>
      }
    >
      <p>{say.rich(isLast ? 'endsAtMost' : 'idle', { left: () => left })}</p>
    </Dialog>
  )
}
