import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { SignInWays } from '#lib/auth/session.schema'
import { returnAddress } from './place'

const entrances = [
  { way: 'oidc', path: '/api/auth/oidc/login', protocol: 'OpenID Connect' },
  { way: 'saml', path: '/api/auth/saml/login', protocol: 'SAML' },
] as const

type ProviderButtonsProps = {
  ways: SignInWays
  /** A session has ended under an open screen: it stays open while the user signs in beside it. */
  beside: boolean
}

/** The ways that lead to an identity provider. */
export function ProviderButtons({ ways, beside }: ProviderButtonsProps) {
  const open = entrances.filter(({ way }) => ways[way])
  if (open.length === 0) return null
  return (
    <SpaceBetween size="s">
      {ways.password && <Box color="text-body-secondary">Or, without a password here:</Box>}
      {open.map(({ way, path, protocol }) => (
        <Button
          key={way}
          formAction="none"
          fullWidth
          variant={ways.password ? 'normal' : 'primary'}
          href={`${path}?${new URLSearchParams({ returnTo: returnAddress() })}`}
          {...(beside && { target: '_blank' })}
        >
          Sign in with your organization{open.length > 1 ? ` (${protocol})` : ''}
        </Button>
      ))}
      {beside && (
        <Box color="text-body-secondary">
          It opens beside this page. Come back here afterwards: nothing that you have typed is lost.
        </Box>
      )}
    </SpaceBetween>
  )
}
