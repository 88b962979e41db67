import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles, { type TilesProps } from '@cloudscape-design/components/tiles'
import { useState } from 'react'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import { type SessionDocument, type TwoFactorProvider, twoFactorProviders } from '#lib/auth/session.schema'
import { codeWords } from './code-words'
import { EnrolmentGuard } from './leave-guard'
import { StepFrame } from './step-frame'

type ProviderStepProps = {
  session: SessionDocument
  isPending: boolean
  error: Error | null
  onChoose: (provider: TwoFactorProvider) => void
}

export function ProviderStep({ session, isPending, error, onChoose }: ProviderStepProps) {
  const [provider, setProvider] = useState<TwoFactorProvider>('APP_AUTHENTICATOR')
  const follow = useFollow()
  const choose = (value: string) =>
    setProvider(twoFactorProviders.find((known) => known === value) ?? provider)
  return (
    <StepFrame
      provider={provider}
      step="provider"
      description="Where should the codes come from that sign-in asks for?"
      actions={
        <>
          <Button variant="link" href={paths.account()} onFollow={follow}>
            Cancel
          </Button>
          <Button
            variant="primary"
            loading={isPending}
            loadingText="Turning on"
            onClick={() => onChoose(provider)}
          >
            Turn on
          </Button>
        </>
      }
    >
      <SpaceBetween size="l">
        <Tiles
          ariaLabel="Where the codes come from"
          columns={2}
          value={provider}
          items={[tileOf('APP_AUTHENTICATOR', session), tileOf('EMAIL', session)]}
          onChange={({ detail }) => choose(detail.value)}
        />
        <Box variant="p">{outlook[provider]}</Box>
        {/* Who left before the answer would never see the key. */}
        {isPending && <EnrolmentGuard provider={provider} isKept={false} />}
        {error && <Failure error={error} />}
      </SpaceBetween>
    </StepFrame>
  )
}

const outlook: Record<TwoFactorProvider, string> = {
  APP_AUTHENTICATOR:
    'Have your phone at hand. From the moment you turn it on, sign-in asks for a code: the next steps give your app its key and give you scratch codes for the day the phone is lost.',
  EMAIL:
    'Have your mailbox at hand. From the moment you turn it on, sign-in asks for a code: the next steps give you scratch codes for the day no mail reaches you, and send a first code.',
}

function tileOf(provider: TwoFactorProvider, session: SessionDocument): TilesProps.TilesDefinition {
  const obstacle = obstacleTo(provider, session)
  return {
    value: provider,
    label: codeWords[provider].name,
    disabled: obstacle !== undefined,
    description: obstacle ? (
      <Box color="text-body-secondary" fontSize="body-s">
        {obstacle}
      </Box>
    ) : (
      benefits[provider](session)
    ),
  }
}

const benefits: Record<TwoFactorProvider, (session: SessionDocument) => string> = {
  APP_AUTHENTICATOR: () => 'An app on your phone shows a new code every 30 seconds. It needs no network.',
  EMAIL: ({ email }) => `A code is mailed to ${email} each time you sign in.`,
}

function obstacleTo(provider: TwoFactorProvider, session: SessionDocument): string | undefined {
  if (!session.twoFactorProviders.includes(provider))
    return provider === 'EMAIL'
      ? 'Not possible here: this installation has no mail server (2FA-3).'
      : 'Not possible here.'
  if (provider === 'EMAIL' && session.email === '')
    return `Your user has no e-mail address yet. Ask an administrator of ${session.enterprise.name} to add one (2FA-5).`
  return undefined
}
