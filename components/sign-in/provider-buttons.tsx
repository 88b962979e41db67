import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import type { SignInWays } from '#lib/auth/session.schema'
import { returnAddress } from './place'

const entrances = [
  { way: 'oidc', path: '/api/auth/oidc/login', protocol: 'OpenID Connect' },
  { way: 'saml', path: '/api/auth/saml/login', protocol: 'SAML' },
] as const

type ProviderButtonsProps = {
  ways: SignInWays
  /** A session has ended under an open screen. The provider opens in another tab, so that the screen stays. */
  beside: boolean
}

export function ProviderButtons({ ways, beside }: ProviderButtonsProps) {
  const say = useTranslations('signIn.provider')
  const open = entrances.filter(({ way }) => ways[way])
  if (open.length === 0) return null
  return (
    <SpaceBetween size="s">
      {ways.password && <Box color="text-body-secondary">{say('or')}</Box>}
      {open.map(({ way, path, protocol }) => (
        <Button
          key={way}
          formAction="none"
          fullWidth
          variant={ways.password ? 'normal' : 'primary'}
          href={`${path}?${new URLSearchParams({ returnTo: returnAddress() })}`}
          {...(beside && { target: '_blank' })}
        >
          {open.length > 1 ? say('organizationBy', { protocol }) : say('organization')}
        </Button>
      ))}
      {beside && <Box color="text-body-secondary">{say('beside')}</Box>}
    </SpaceBetween>
  )
}
