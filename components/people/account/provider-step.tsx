import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { Stack } from '#components/kit/layout'
import { Radio, type RadioChoice } from '#components/kit/radio'
import type { SessionDocument, TwoFactorProvider } from '#lib/caller/auth/session.schema'
import { StepFrame } from './step-frame'
import { EnrolmentGuard } from './unproved'

type ProviderStepProps = {
  session: SessionDocument
  isPending: boolean
  error: Error | null
  onChoose: (provider: TwoFactorProvider) => void
}

export function ProviderStep({ session, isPending, error, onChoose }: ProviderStepProps) {
  const say = useTranslations('account.enrolment.provider')
  const sayCommon = useTranslations('common')
  const [provider, setProvider] = useState<TwoFactorProvider>('APP_AUTHENTICATOR')
  const tileOf = useTiles(session)
  return (
    <StepFrame
      provider={provider}
      step="provider"
      description={say('about')}
      back={{ label: sayCommon('cancel') }}
      next={{ label: sayCommon('next'), busyLabel: say('preparing'), isBusy: isPending }}
      onNext={() => !isPending && onChoose(provider)}
    >
      <Stack gap="l">
        <Radio
          look="tiles"
          labelUnseen
          label={say('label')}
          value={provider}
          choices={[tileOf('APP_AUTHENTICATOR'), tileOf('EMAIL')]}
          onChange={setProvider}
        />
        <p>{say(`outlook.${provider}`)}</p>
        {/* A user who left before the answer would never see the key. */}
        {isPending && <EnrolmentGuard isProved={false} />}
        {error && <Failure error={error} />}
      </Stack>
    </StepFrame>
  )
}

/** The benefit of each provider, or the reason why it cannot be chosen. */
function useTiles(session: SessionDocument): (provider: TwoFactorProvider) => RadioChoice<TwoFactorProvider> {
  const say = useTranslations('account.enrolment.provider')
  const sayName = useTranslations('account.code.names')
  const benefits = { APP_AUTHENTICATOR: say('app'), EMAIL: say('email', { email: session.email }) }

  const obstacleTo = (provider: TwoFactorProvider): string | undefined => {
    if (!session.twoFactorProviders.includes(provider))
      return say(provider === 'EMAIL' ? 'noMailServer' : 'impossible')
    if (provider !== 'EMAIL' || session.email !== '') return undefined
    // Users who must enable two factor cannot open their profile to enter an address.
    return session.mustEnableTwoFactor
      ? say('askForEmail', { enterprise: session.enterprise.name })
      : say('noEmail')
  }
  return (provider) => ({
    value: provider,
    text: sayName(provider),
    about: benefits[provider],
    refused: obstacleTo(provider),
  })
}
