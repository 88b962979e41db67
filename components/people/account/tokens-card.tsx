import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Failure } from '#components/base/forms/failure'
import { useAction } from '#components/base/forms/use-action'
import { ExactTime, exactTime } from '#components/base/screens/moments'
import { Card } from '#components/frame/layout/card'
import { providerTokensQuery, renewProviderTokens } from '#lib/people/oidc/tokens.queries'
import type { ProviderTokens } from '#lib/people/oidc/tokens.schema'
import type { Say } from '#lib/words/words'
import styles from './tokens.module.css'

/** The tokens of an OpenID Connect sign-in, for programs that call the API in the user’s name. */
export function TokensCard() {
  const say = useTranslations('account.tokens')
  const tokens = useQuery(providerTokensQuery)
  return (
    <Card
      title={say('title')}
      description={say('about')}
      actions={tokens.data && <Renew refreshToken={tokens.data.refreshToken} />}
    >
      {tokens.data ? (
        <KeyValuePairs columns={3} minColumnWidth={240} items={factsOf(say, tokens.data)} />
      ) : tokens.isError ? (
        <Failure error={tokens.error} retry={() => void tokens.refetch()} />
      ) : (
        <Box textAlign="center">
          <Spinner size="large" /> {say('loading')}
        </Box>
      )}
    </Card>
  )
}

const factsOf = (
  say: Say<'account.tokens'>,
  { accessToken, refreshToken, expires }: ProviderTokens,
): KeyValuePairsProps.Item[] => [
  { label: say('access'), value: <Token token={accessToken} kind="Access" /> },
  {
    label: say('refresh'),
    value: refreshToken ? <Token token={refreshToken} kind="Refresh" /> : say('noRefresh'),
  },
  { label: say('expiry'), value: expires ? <Expiry at={expires} /> : say('noExpiry') },
]

/** Hidden until the user shows it, because people nearby could read it from the screen. */
function Token({ token, kind }: { token: string; kind: 'Access' | 'Refresh' }) {
  const say = useTranslations('account.tokens')
  const [isShown, setShown] = useState(false)
  return (
    <SpaceBetween size="xxs">
      {isShown ? (
        <div className={styles.token}>
          <Box variant="code">{token}</Box>
        </div>
      ) : (
        <Box color="text-body-secondary">
          <span aria-hidden="true">{'•'.repeat(12)}</span>
        </Box>
      )}
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <Copy text={token} label={say(`copy${kind}`)} />
        <Button
          variant="inline-link"
          ariaLabel={say(`${isShown ? 'hide' : 'show'}${kind}`)}
          onClick={() => setShown(!isShown)}
        >
          {say(isShown ? 'hide' : 'show')}
        </Button>
      </SpaceBetween>
    </SpaceBetween>
  )
}

const HALF_A_MINUTE = 30_000

function Expiry({ at }: { at: string }) {
  const say = useTranslations('account.tokens')
  const format = useFormatter()
  const now = useNow({ updateInterval: HALF_A_MINUTE })
  const when = format.relativeTime(new Date(at), now)
  if (new Date(at) <= now)
    return (
      <StatusIndicator type="warning">
        <time dateTime={at} title={exactTime(format, at)}>
          {say('ranOut', { when })}
        </time>
      </StatusIndicator>
    )
  return (
    <>
      <ExactTime at={at} />
      <Box variant="small" display="block">
        {when}
      </Box>
    </>
  )
}

function Renew({ refreshToken }: Pick<ProviderTokens, 'refreshToken'>) {
  const say = useTranslations('account.tokens')
  const renewing = useMutation(renewProviderTokens())
  const renew = useAction(renewing, { done: () => say('renewed'), failed: () => say('notRenewed') })
  return (
    <Button
      iconName="refresh"
      loading={renewing.isPending}
      loadingText={say('renewing')}
      {...(!refreshToken && { disabled: true, disabledReason: say('cannotRenew') })}
      onClick={() => refreshToken && renew(refreshToken)}
    >
      {say('renew')}
    </Button>
  )
}
