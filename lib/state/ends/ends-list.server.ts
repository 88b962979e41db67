import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesUser, type Visibility, visibilityOf } from '#lib/caller/scopes/visibility.server'
import { ipViews } from '#lib/cloud/nat/ip-views.server'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { ruleViews } from '#lib/cloud/nat/rules.server'
import type { Db } from '#lib/db/db.server'
import { hasText, list } from '#lib/db/list.server'
import { together } from '#lib/db/statements.server'
import { endsText } from '#lib/ground/http/ends.schema'
import type { Listing } from '#lib/ground/http/render.server'
import { type LinkDocument, link, linkOf } from '#lib/ground/http/view'
import { endpointText, portsText } from '#lib/ground/net/endpoints'
import { endKinds } from '#lib/state/ends/end-kinds.server'
import type { EndDocument, EndKind, EndsQuery } from '#lib/state/ends/ends-list.schema'

/* What ends by itself within a time (docs/api/ends.md, "Ends"). The cost is that of the ends within it: each table has an index of its ends. */

const USUAL = 14 * 24 * 60 * 60 * 1000

type Row = { kind: EndKind; id: number; ends_at: number }

const endsOf = (caller: Visibility, kind: EndKind, before: number): RawBuilder<unknown> => {
  const { table, text, sees } = endKinds[kind]
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`select ${sql.lit(kind)} as kind, ${column('id')} as id, ${column('ends_at')} as ends_at, ${text} as text
    from ${sql.table(table)} where ${column('ends_at')} < ${before} and ${sees(caller)}`
}

/** The page in the order of the ends, without what the caller does not see. */
export async function listEnds({ caller, db }: ReadContext, query: EndsQuery): Promise<Listing> {
  const seen = (Object.keys(endKinds) as EndKind[]).filter((kind) => can(caller, endKinds[kind].readers))
  if (seen.length === 0) return { links: [], totalSize: 0, collection: [] }
  const paging = { ...query, endsbefore: query.endsbefore ?? new Date(Date.now() + USUAL).toISOString() }
  const each = seen.map((kind) => endsOf(visibilityOf(caller), kind, Date.parse(paging.endsbefore)))
  return list({
    from: (on) =>
      on
        .selectFrom(sql<Row & { text: string }>`(${sql.join(each, sql` union all `)})`.as('due'))
        .where(hasText('due.text', paging.has))
        .select(['due.kind', 'due.id', 'due.ends_at']),
    orders: { ends: ['due.ends_at', 'due.id'] },
    id: 'due.kind',
    paging,
    scans: true,
    views: (rows) => endViews({ caller, db }, rows),
    path: '/ends',
  })
}

type Shown = { id: number; own: LinkDocument }

/** The documents of these ends, in this order. What is gone by now is left out. */
async function endViews(context: ReadContext, rows: readonly Row[]): Promise<EndDocument[]> {
  const ids = (kind: EndKind) => rows.flatMap(({ kind: of, id }) => (of === kind ? [{ id }] : []))
  const [users, ips, rules, settings] = await together(
    shownUsers(context.db, ids('user')),
    shownIps(context, ids('natip')),
    shownRules(context, ids('natrule')),
    settingsOf(context, rows),
  )
  const shown = { user: users, natip: ips, natrule: rules }
  return rows.flatMap(({ kind, id, ends_at }) => {
    const own = shown[kind].find((each) => each.id === id)?.own
    const setting = settings.find((each) => each.entity === kind && each.entity_id === id)
    return own ? [endView({ kind, id, ends_at }, own, setting)] : []
  })
}

type Setting = Awaited<ReturnType<typeof settingsOf>>[number]

const endView = (
  { kind, id, ends_at }: Row,
  own: LinkDocument,
  setting: Setting | undefined,
): EndDocument => ({
  links: [own, ...makerLinks(setting)],
  kind,
  id,
  name: own.title ?? '',
  ends: endsText(Number(ends_at)),
  ...(setting?.refused && { refused: setting.refused }),
})

const makerLinks = ({ maker, nick, enterprise }: Partial<Setting> = {}): LinkDocument[] =>
  maker && nick && enterprise
    ? [link('setby', pathOf(kinds.user, { enterprise, id: maker }), 'user', nick)]
    : []

async function shownUsers(db: Db, ids: readonly { id: number }[]): Promise<Shown[]> {
  if (ids.length === 0) return []
  const users = await db
    .selectFrom('users')
    .where(
      'id',
      'in',
      ids.map(({ id }) => id),
    )
    .select(['id', 'nick', 'enterprise_id as enterprise'])
    .execute()
  return users.map(({ id, nick, enterprise }) => ({
    id,
    own: link('self', pathOf(kinds.user, { enterprise, id }), 'user', nick),
  }))
}

/** Callers who do not read the IPs of a datacenter read this one below its holder. */
async function shownIps(context: ReadContext, ids: readonly { id: number }[]): Promise<Shown[]> {
  if (ids.length === 0) return []
  const reads = can(context.caller, kinds.natip.readers)
  const ips = await ipViews(context, ids)
  return ips.flatMap(({ id, ip, links }) => {
    const path = linkOf({ links }, 'self')?.href ?? ''
    const held = `${linkOf({ links }, 'virtualdatacenter')?.href}/natips/${id}`
    return [{ id, own: link('self', reads ? path : held, 'natip', ip) }]
  })
}

async function shownRules(context: ReadContext, ids: readonly { id: number }[]): Promise<Shown[]> {
  if (ids.length === 0) return []
  const rules = await ruleViews(context, ids)
  return rules.flatMap((rule) => {
    const path = linkOf(rule, 'self')?.href
    return path === undefined ? [] : [{ id: rule.id, own: link('self', path, 'natrule', nameOf(rule)) }]
  })
}

function nameOf(rule: NatRuleDocument): string {
  const title = (rel: string) => linkOf(rule, rel)?.title ?? ''
  const original = endpointText(title('original'), portsText(rule.originalPort, rule.originalPortEnd))
  return `${original} → ${endpointText(title('translated'), rule.translatedPort)}`
}

/** The rows of `end_makers` of these resources. */
const ofThese = (rows: readonly Row[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    [...Map.groupBy(rows, ({ kind }) => kind)].map(
      ([kind, some]) =>
        sql`(end_makers.entity = ${kind} and end_makers.entity_id in (${sql.join(some.map(({ id }) => id))}))`,
    ),
    sql` or `,
  )})`

/** Why these ends did not happen, and the users who set them, as far as the caller may read them. */
function settingsOf({ caller, db }: ReadContext, rows: readonly Row[]) {
  const readsUsers = can(caller, kinds.user.readers)
  return db
    .selectFrom('end_makers')
    .leftJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'end_makers.user_id')
        .on((on) =>
          on.or([on('users.id', '=', caller.id), ...(readsUsers ? [seesUser(visibilityOf(caller))] : [])]),
        ),
    )
    .where(ofThese(rows))
    .select(['entity', 'entity_id', 'refused', 'users.id as maker', 'users.nick'])
    .select('users.enterprise_id as enterprise')
    .execute()
}
