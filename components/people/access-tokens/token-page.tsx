import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { useNewSecret } from '#components/base/forms/secret-once'
import { ExactTime } from '#components/base/screens/moments'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
import { PrivilegeList } from '#components/people/applications/privilege-list'
import { tokenQuery } from '#lib/people/access-tokens/access-tokens.queries'
import type { AccessTokenDocument } from '#lib/people/access-tokens/access-tokens.schema'
import { NewToken } from './new-token'
import { RevokeToken } from './revoke-token'
import { LastUse, TokenEnd } from './token-facts'
import { useCrumbs, useOwner } from './use-owner'

/** One access token. Directly after its creation: the token itself and how to use it. */
export function Component() {
  const say = useTranslations('accessTokens')
  const navigate = useNavigate()
  const place = useOwner()
  const id = useId('token')
  const read = useQuery(tokenQuery(place.owner, id))
  const secret = useNewSecret('accesstoken', id)
  const [isRevoking, setRevoking] = useState(false)
  const token = read.data?.document
  return (
    <Page
      title={token?.name ?? say('unknown', { id: String(id) })}
      breadcrumbs={useCrumbs(place)}
      actions={token && <Button onPress={() => setRevoking(true)}>{say('revoke.submit')}</Button>}
    >
      {token ? (
        <Stack gap="l">
          {secret && <NewToken token={secret} />}
          <TokenFacts token={token} nick={place.nick} readAt={read.dataUpdatedAt} />
          <Limits token={token} />
        </Stack>
      ) : (
        <Waiting read={read} />
      )}
      {token && isRevoking && (
        <RevokeToken
          owner={place.owner}
          token={token}
          onDone={() => void navigate(place.back)}
          onClose={() => setRevoking(false)}
        />
      )}
    </Page>
  )
}

function Limits({ token }: { token: AccessTokenDocument }) {
  const say = useTranslations('accessTokens')
  const label = useTranslations('labels')
  return (
    <Card title={label('reach')} about={say('reachNow')}>
      <PrivilegeList names={token.privileges} />
    </Card>
  )
}

type FactsProps = { token: AccessTokenDocument; nick: string; readAt: number }

function TokenFacts({ token, nick, readAt }: FactsProps) {
  const say = useTranslations('accessTokens')
  const label = useTranslations('labels')
  const now = new Date(readAt)
  return (
    <Card title={label('facts')}>
      <Facts
        columns={3}
        items={[
          { label: say('expires'), value: <TokenEnd token={token} now={now} /> },
          { label: say('lastUse'), value: <LastUse token={token} now={now} /> },
          { label: say('networks'), value: token.allowedCIDRs.join(', ') || say('everywhere') },
          { label: say('created'), value: <ExactTime at={token.created} /> },
          { label: say('actsAs'), value: nick },
          { label: label('id'), value: token.id },
        ]}
      />
    </Card>
  )
}
