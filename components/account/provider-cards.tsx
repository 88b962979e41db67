import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '#components/layout/failure'
import { providerTokensQuery } from '#lib/oidc/tokens.queries'
import type { ProviderTokens } from '#lib/oidc/tokens.schema'
import { exactTime } from './moments'

/** For who has no password here. */
export const ProviderCard = () => (
  <Container header={<Header variant="h2">Sign-in</Header>}>
    <Box variant="p">
      You sign in with your organization’s identity provider. Your password and your second factor are kept
      there, and are changed there.
    </Box>
  </Container>
)

/** The tokens of an OpenID Connect sign-in, for programs that call the API in the user’s name. */
export function TokensCard() {
  const tokens = useQuery(providerTokensQuery)
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="For programs that call the API in your name: Authorization: Bearer, and the access token. Show them to nobody."
        >
          Tokens of this sign-in
        </Header>
      }
    >
      {tokens.data ? (
        <KeyValuePairs columns={3} minColumnWidth={200} items={factsOf(tokens.data)} />
      ) : tokens.isError ? (
        <Failure error={tokens.error} retry={() => void tokens.refetch()} />
      ) : (
        <Spinner size="large" />
      )}
    </Container>
  )
}

const factsOf = ({ accessToken, refreshToken, expires }: ProviderTokens) => [
  { label: 'Access token', value: <Token token={accessToken} name="access token" /> },
  {
    label: 'Refresh token',
    value: refreshToken ? <Token token={refreshToken} name="refresh token" /> : 'The provider gave none',
  },
  {
    label: 'The access token runs out',
    value: expires ? (
      <time dateTime={expires}>{exactTime(new Date(expires))}</time>
    ) : (
      'The provider does not say'
    ),
  },
]

const Token = ({ token, name }: { token: string; name: string }) => (
  <CopyToClipboard
    copyButtonText={`Copy the ${name}`}
    textToCopy={token}
    copySuccessText="Copied"
    copyErrorText="The browser does not allow copying here."
  />
)
