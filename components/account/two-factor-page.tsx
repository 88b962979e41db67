import Alert from '@cloudscape-design/components/alert'
import { useMutation } from '@tanstack/react-query'
import { Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { enableTwoFactor } from '#lib/auth/two-factor.queries'
import { AlreadyOn } from './already-on'
import { Enrolment } from './enrolment'
import { ProviderStep } from './provider-step'

/**
 * The steps are no addresses: the key and the codes are shown once and live in memory alone, so that a reload or a
 * shared link could not bring a step back.
 */
export function Component() {
  const session = useSession()
  const enable = useMutation(enableTwoFactor(session))
  const wasOn = session.twoFactorProvider !== undefined && !enable.isPending
  return (
    <Page
      title="Set up two factor authentication"
      breadcrumbs={session.mustEnableTwoFactor ? [] : [{ text: 'My account', href: paths.account() }]}
      maxContentWidth={800}
    >
      {session.mustEnableTwoFactor && (
        <Alert type="info" i18nStrings={{ infoIconAriaLabel: 'Info' }}>
          {session.enterprise.name} asks everybody for two factor authentication. Set it up to go on.
        </Alert>
      )}
      {enable.isSuccess ? (
        <Enrolment credentials={enable.data} nick={session.nick} />
      ) : wasOn ? (
        <AlreadyOn />
      ) : (
        <ProviderStep isPending={enable.isPending} error={enable.error} onChoose={enable.mutate} />
      )}
    </Page>
  )
}
