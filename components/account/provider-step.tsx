import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles, { type TilesProps } from '@cloudscape-design/components/tiles'
import { useState } from 'react'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import { type TwoFactorProvider, twoFactorProviders } from '#lib/auth/session.schema'
import { EnrolmentGuard } from './leave-guard'
import { StepFrame } from './step-frame'

const providers: TilesProps.TilesDefinition[] = [
  {
    value: 'APP_AUTHENTICATOR',
    label: 'Authenticator app',
    description: 'An app on your phone shows a new code every 30 seconds. It needs no network.',
  },
  {
    value: 'EMAIL',
    label: 'E-mail',
    description: (
      <Box color="text-body-secondary" fontSize="body-s">
        Not possible here: this installation has no mail server (2FA-3).
      </Box>
    ),
    disabled: true,
  },
]

type ProviderStepProps = {
  isPending: boolean
  error: Error | null
  onChoose: (provider: TwoFactorProvider) => void
}

export function ProviderStep({ isPending, error, onChoose }: ProviderStepProps) {
  const [provider, setProvider] = useState<TwoFactorProvider>('APP_AUTHENTICATOR')
  const follow = useFollow()
  const choose = (value: string) =>
    setProvider(twoFactorProviders.find((known) => known === value) ?? provider)
  return (
    <StepFrame
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
          items={providers}
          onChange={({ detail }) => choose(detail.value)}
        />
        <Box variant="p">
          Have your phone at hand. From the moment you turn it on, sign-in asks for a code: the next steps
          give your app its key and give you scratch codes for the day the phone is lost.
        </Box>
        {/* Who left before the answer would never see the key. */}
        {isPending && <EnrolmentGuard isKept={false} />}
        {error && <Failure error={error} />}
      </SpaceBetween>
    </StepFrame>
  )
}
