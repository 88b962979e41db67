import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Listed, ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesKind, seesUser, type Visibility } from '#lib/caller/scopes/visibility.server'
import { type DatacenterRow, findDatacenter } from '#lib/cloud/infrastructure/datacenters.server'
import { findingKey, type NatFinding, type NatFindingCode } from '#lib/cloud/nat/check.schema'
import type { Found } from '#lib/cloud/nat/check-queries.server'
import { dayIn, type NatSetAsideDocument, type NatSetAsideListQuery } from '#lib/cloud/nat/set-asides.schema'
import { type Db, transaction } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Listing } from '#lib/ground/http/render.server'
import type { LinkDocument } from '#lib/ground/http/view'

/* Findings of the NAT check that are set aside until a day, or until they are other findings (docs/api/nat-check.md, "Set a finding aside"). */

/** The codes with findings of a datacenter that are set aside today: the queries of all others stay as they are. */
export type SetAsidesInForce = { has: (code: NatFindingCode) => boolean; today: string }

export async function setAsidesInForce(db: Db, datacenter: number): Promise<SetAsidesInForce> {
  const today = dayIn(0)
  const rows = await db
    .selectFrom('nat_setasides')
    .where('datacenter_id', '=', datacenter)
    .where('until_day', '>=', today)
    .select('code')
    .distinct()
    .execute()
  const codes = new Set(rows.map(({ code }) => code))
  return { has: (code) => codes.has(code), today }
}

/** A condition on `found`, the findings of the code. */
export const isSetAside = (code: NatFindingCode, { has, today }: SetAsidesInForce): RawBuilder<SqlBool> =>
  has(code)
    ? sql`exists (select 1 from nat_setasides as aside where aside.subject_id = found.id and aside.code = ${code}
        and aside.other_id = found.other and aside.third_id = found.third and aside.mark = found.mark
        and aside.until_day >= ${today})`
    : sql`1 = 0`

export const isNotSetAside = (code: NatFindingCode, inForce: SetAsidesInForce): RawBuilder<SqlBool> =>
  inForce.has(code) ? sql`not ${isSetAside(code, inForce)}` : sql`1 = 1`

/** The rows with their creators, as far as the caller sees them. */
const setAsides = (db: Db, caller: Visibility) =>
  db
    .selectFrom('nat_setasides')
    .leftJoin('users as creators', (join) =>
      join.onRef('creators.id', '=', 'nat_setasides.set_by').on(seesUser(caller, 'creators')),
    )
    .leftJoin('enterprises', 'enterprises.id', 'nat_setasides.enterprise_id')
    .where(seesKind(caller, kinds.natsetaside))
    .selectAll('nat_setasides')
    .select(['creators.nick as creator_nick', 'creators.enterprise_id as creator_enterprise'])
    .select('enterprises.name as enterprise_name')

export type SetAsideRow = Awaited<ReturnType<typeof findSetAside>>

/** Throws DC-0, NAT-CHECK-0. */
export async function findSetAside({ caller, db }: ReadContext, datacenter: number, id: number) {
  await findDatacenter({ caller, db }, datacenter)
  return setAsides(db, caller)
    .where('nat_setasides.id', '=', id)
    .where('nat_setasides.datacenter_id', '=', datacenter)
    .executeTakeFirstOrThrow(() => new ApiError('NAT-CHECK-0'))
}

const userLinks = (row: SetAsideRow): LinkDocument[] =>
  row.creator_nick === null
    ? []
    : [linkTo(kinds.user, { enterprise: row.creator_enterprise, id: row.set_by }, row.creator_nick)]

const idsOf = ({ datacenter_id: datacenter, id }: SetAsideRow) => ({ datacenter, id })

export const setAsideView = (row: SetAsideRow): NatSetAsideDocument => {
  const { id, code, name, reason } = row
  const ids = { id: row.subject_id, other: row.other_id, third: row.third_id }
  return {
    links: [
      linkTo(kinds.natsetaside, idsOf(row), `${code} ${name}`, 'edit'),
      linkTo(kinds.datacenter, { id: row.datacenter_id }),
      ...(row.enterprise_id === null
        ? []
        : [linkTo(kinds.enterprise, { id: row.enterprise_id }, row.enterprise_name)]),
      ...userLinks(row),
    ],
    id,
    finding: findingKey(code as NatFindingCode, ids),
    subject: name,
    reason,
    until: row.until_day,
  }
}

export const setAsideTarget = {
  ids: { datacenter: 'DC-0', setaside: 'NAT-CHECK-0' },
  find: (context: ReadContext, path: { datacenter: number; setaside: number }) =>
    findSetAside(context, path.datacenter, path.setaside),
  view: setAsideView,
} as const

export const listSetAsides = ({
  caller,
  found: { id: datacenter },
  query: paging,
}: Listed<DatacenterRow, NatSetAsideListQuery>): Promise<Listing> =>
  list({
    from: (db) =>
      setAsides(db, caller)
        .where('nat_setasides.datacenter_id', '=', datacenter)
        .where(hasText('nat_setasides.name', paging.has)),
    orders: { id: [] },
    id: 'nat_setasides.id',
    paging,
    views: (rows) => rows.map(setAsideView),
    path: collectionOf(kinds.natsetaside, { datacenter }),
  })

type Shown = { code: NatFindingCode; found: readonly Found[]; findings: readonly NatFinding[]; today: string }

/** The findings of one code, each with why it is set aside. */
export async function withSetAsides(
  { caller, db }: ReadContext,
  { code, found, findings, today }: Shown,
): Promise<NatFinding[]> {
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await setAsides(db, caller)
    .where('nat_setasides.code', '=', code)
    .where('nat_setasides.subject_id', 'in', ids)
    .where('nat_setasides.until_day', '>=', today)
    .execute()
  const marks = new Map(found.map((each) => [findingKey(code, each), each.mark]))
  const keyOf = (row: SetAsideRow) =>
    findingKey(code, { id: row.subject_id, other: row.other_id, third: row.third_id })
  const byKey = new Map(
    rows.filter((row) => marks.get(keyOf(row)) === row.mark).map((row) => [keyOf(row), row]),
  )
  return findings.map((finding) => {
    const row = byKey.get(finding.identity)
    if (!row) return finding
    const links = [linkTo(kinds.natsetaside, idsOf(row)), ...userLinks(row)]
    return { ...finding, setAside: { links, reason: row.reason, until: row.until_day } }
  })
}

/** Removes those whose last day is over. */
export const removeOldSetAsides = (): Promise<void> =>
  transaction(async (trx) => {
    await trx.deleteFrom('nat_setasides').where('until_day', '<', dayIn(0)).execute()
  })
