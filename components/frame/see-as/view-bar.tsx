import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { screenIcons } from '#components/kit/screen-icons'
import { endSeeAs, renewSession, sessionQuery } from '#lib/caller/auth/session.queries'
import { presentOf } from '#lib/client/past-client'
import styles from './view-bar.module.css'

/** Below the header, as long as the screens show what another user sees. */
export function ViewBar() {
  const { id, nick, enterprise } = useSession()
  const say = useTranslations('layout.seeAs')
  const notify = useFlash()
  const guard = useOneAtATime()
  useEndInTime()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: endSeeAs,
    // Loads the page again, so that no data of this view stays in memory.
    onSuccess: () => window.location.assign(paths.user(enterprise.id, id)),
    onError: (error) =>
      notify({ type: 'error', header: say('failed', { nick }), content: <FailureText error={error} /> }),
  })
  return (
    <section aria-label={say('bar')} className={styles.bar}>
      {screenIcons.view}
      <strong role="status" className={styles.text}>
        {say('shown', { nick })}
      </strong>
      <Button busy={isPending} onPress={() => guard(() => mutateAsync())}>
        {say('end')}
      </Button>
    </section>
  )
}

/** Asks for the session again once the view has ended. */
function useEndInTime(): void {
  const client = presentOf(useQueryClient())
  const { data, dataUpdatedAt: askedAt } = useQuery(sessionQuery, client)
  const secondsLeft = data?.viewer?.secondsLeft
  useEffect(() => {
    if (secondsLeft === undefined) return
    const left = askedAt + secondsLeft * 1000 - Date.now()
    const timer = setTimeout(() => void renewSession(client), left)
    return () => clearTimeout(timer)
  }, [client, askedAt, secondsLeft])
}
