import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Failure } from '#components/base/forms/failure'
import { useAction } from '#components/base/forms/use-action'
import { ExactTime, exactTime } from '#components/base/screens/moments'
import { Button } from '#components/kit/button'
import { type Fact, Facts } from '#components/kit/facts'
import { Card, Row, Stack } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { Spinner } from '#components/kit/spinner'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
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
      about={say('about')}
      actions={tokens.data && <Renew refreshToken={tokens.data.refreshToken} />}
    >
      {tokens.data ? (
        <Facts columns={3} items={factsOf(say, tokens.data)} />
      ) : tokens.isError ? (
        <Failure error={tokens.error} retry={() => void tokens.refetch()} />
      ) : (
        <div>
          <Spinner /> {say('loading')}
        </div>
      )}
    </Card>
  )
}

const factsOf = (
  say: Say<'account.tokens'>,
  { accessToken, refreshToken, expires }: ProviderTokens,
): Fact[] => [
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
    <Stack gap="xs">
      {isShown ? (
        <div className={styles.token}>
          <code>{token}</code>
        </div>
      ) : (
        <div className="quiet">
          <span aria-hidden="true">{'•'.repeat(12)}</span>
        </div>
      )}
      <Row gap="m">
        <Copy text={token} label={say(`copy${kind}`)} />
        <Button
          look="link"
          label={say(`${isShown ? 'hide' : 'show'}${kind}`)}
          onPress={() => setShown(!isShown)}
        >
          {say(isShown ? 'hide' : 'show')}
        </Button>
      </Row>
    </Stack>
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
      <Status kind="warn">
        <time dateTime={at} title={exactTime(format, at)}>
          {say('ranOut', { when })}
        </time>
      </Status>
    )
  return (
    <>
      <ExactTime at={at} />
      <div className="small">{when}</div>
    </>
  )
}

function Renew({ refreshToken }: Pick<ProviderTokens, 'refreshToken'>) {
  const say = useTranslations('account.tokens')
  const renewing = useMutation(renewProviderTokens())
  const renew = useAction(renewing, { done: () => say('renewed'), failed: () => say('notRenewed') })
  return (
    <Tool
      icon={screenIcons.refresh}
      refused={refreshToken ? undefined : say('cannotRenew')}
      busy={renewing.isPending}
      busyText={say('renewing')}
      onPress={() => refreshToken && renew(refreshToken)}
    >
      {say('renew')}
    </Tool>
  )
}
