import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useIsNarrow } from '#components/table/table-width'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { type TokenOwner, tokensQuery } from '#lib/people/access-tokens/access-tokens.queries'
import { type AccessTokenDocument, accessTokenOrders } from '#lib/people/access-tokens/access-tokens.schema'
import type { Say } from '#lib/words/words'
import { RevokeToken } from './revoke-token'
import { LastUse, TokenEnd } from './token-facts'

/** The access tokens of the user, on My account. */
export function OwnTokens() {
  const { id, enterprise } = useSession()
  const say = useTranslations('accessTokens')
  return (
    <TokensTable
      owner={{ id, enterprise: enterprise.id }}
      about={say('aboutOwn')}
      emptyHint={say('emptyOwn')}
      pathOf={paths.token}
      create={<AppButton to={paths.newToken()}>{say('create')}</AppButton>}
    />
  )
}

type TokensOfUserProps = { owner: TokenOwner; isService: boolean; mayCreate: boolean }

/** The access tokens of another user, which the user’s administrators can revoke. They can create tokens only for service accounts. */
export function TokensOfUser({ owner, isService, mayCreate }: TokensOfUserProps) {
  const say = useTranslations('accessTokens')
  const { enterprise, id } = owner
  return (
    <TokensTable
      owner={owner}
      about={say(isService ? 'aboutService' : 'aboutUser')}
      emptyHint={say(isService ? 'emptyService' : 'emptyUser')}
      pathOf={(token) => paths.tokenOf(enterprise, id, token)}
      create={
        isService && mayCreate && <AppButton to={paths.newTokenOf(enterprise, id)}>{say('create')}</AppButton>
      }
    />
  )
}

type TokensTableProps = {
  owner: TokenOwner
  about: string
  emptyHint: string
  pathOf: (token: number) => string
  create: ReactNode
}

function TokensTable({ owner, about, emptyHint, pathOf, create }: TokensTableProps) {
  const say = useTranslations('accessTokens')
  const table = useTableState({
    name: 'accessTokens',
    prefix: 'tokens',
    by: 'name',
    orders: accessTokenOrders,
  })
  const list = useList(table, (startwith) => tokensQuery(owner, { ...table.query, startwith }))
  const columns = useIsNarrow() ? narrowColumnsOf : columnsOf
  const [revoking, setRevoking] = useState<AccessTokenDocument>()
  const close = () => setRevoking(undefined)
  return (
    <>
      <ServerTable
        title={say('title')}
        description={about}
        table={table}
        list={list}
        columns={columns(say, { pathOf, now: new Date(list.dataUpdatedAt), onRevoke: setRevoking })}
        actions={create}
        empty={{ title: say('empty'), hint: emptyHint }}
      />
      {revoking && <RevokeToken owner={owner} token={revoking} onDone={close} onClose={close} />}
    </>
  )
}

type ColumnContext = {
  pathOf: (token: number) => string
  /** When the list was read. */
  now: Date
  onRevoke: (token: AccessTokenDocument) => void
}

const columnsOf = (
  say: Say<'accessTokens'>,
  { pathOf, now, onRevoke }: ColumnContext,
): TableColumn<AccessTokenDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={pathOf(id)}>{name}</AppLink>,
  },
  {
    id: 'expires',
    header: say('expires'),
    by: 'expires',
    cell: (token) => <TokenEnd token={token} now={now} />,
  },
  {
    id: 'lastUse',
    header: say('lastUse'),
    by: 'lastused',
    cell: (token) => <LastUse token={token} now={now} />,
  },
  {
    id: 'privileges',
    cell: ({ privileges }) => say('privileges', { count: privileges.length }),
  },
  {
    id: 'networks',
    hidden: true,
    cell: ({ allowedCIDRs }) => allowedCIDRs.join(', ') || say('everywhere'),
  },
  idColumn,
  revokeColumn(say, onRevoke),
]

const revokeColumn = (
  say: Say<'accessTokens'>,
  onRevoke: ColumnContext['onRevoke'],
): TableColumn<AccessTokenDocument> => ({
  id: 'actions',
  cell: (token) => (
    <Button look="link" label={say('revokeThis', { name: token.name })} onPress={() => onRevoke(token)}>
      {say('revoke.submit')}
    </Button>
  ),
})

/** For narrow screens. */
const narrowColumnsOf = (
  say: Say<'accessTokens'>,
  { pathOf, now, onRevoke }: ColumnContext,
): TableColumn<AccessTokenDocument>[] => [
  {
    // Not `name`: the table stores widths by id.
    id: 'token',
    header: say('one'),
    isRowHeader: true,
    cell: (token) => (
      <>
        <AppLink to={pathOf(token.id)}>{token.name}</AppLink>
        <div className="small">
          {say('expires')}: <TokenEnd token={token} now={now} />
        </div>
        <div className="small">
          {say('lastUse')}: <LastUse token={token} now={now} />
        </div>
      </>
    ),
  },
  revokeColumn(say, onRevoke),
]
