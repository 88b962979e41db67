import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { enableTwoFactor } from '#lib/people/identity/two-factor.queries'
import { Enrolment } from './enrolment'
import { ProviderStep } from './provider-step'
import { AlreadyOn, Unfinished } from './unproved'

/**
 * The steps have no addresses. The key and the codes exist in memory only, so a reload or a shared link could not show
 * a step again.
 */
export function Component() {
  const say = useTranslations('account')
  const session = useSession()
  const enable = useMutation(enableTwoFactor(session))
  const guard = useOneAtATime()
  const notify = useFlash()
  const [isLeft, setLeft] = useState(false)
  const wasOn = session.twoFactorProvider !== undefined && !session.isEnrolling && !enable.isPending

  const leave = () => {
    notify(say('twoFactor.takenBack'))
    enable.reset()
    setLeft(true)
  }
  if (isLeft && !session.mustEnableTwoFactor) return <Navigate to={paths.account()} replace />
  return (
    <Page
      title={say('enrolment.title')}
      breadcrumbs={session.mustEnableTwoFactor ? [] : [{ text: say('title'), href: paths.account() }]}
      maxContentWidth={800}
    >
      {session.mustEnableTwoFactor && !session.isEnrolling && (
        <Notice>{say('enrolment.asked', { enterprise: session.enterprise.name })}</Notice>
      )}
      {enable.isSuccess ? (
        <Enrolment credentials={enable.data} session={session} onTakenBack={leave} />
      ) : wasOn ? (
        <AlreadyOn session={session} />
      ) : (
        <Stack gap="l">
          {session.isEnrolling && !enable.isPending && <Unfinished session={session} onTakenBack={leave} />}
          <ProviderStep
            session={session}
            isPending={enable.isPending}
            error={enable.error}
            onChoose={(provider) => guard(() => enable.mutateAsync(provider))}
          />
        </Stack>
      )}
    </Page>
  )
}
