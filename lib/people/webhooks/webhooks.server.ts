import type { ReadContext } from '#lib/caller/auth/context.server'
import { can, seesEverything } from '#lib/caller/auth/privileges'
import { collectionOf, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise, type Visibility } from '#lib/caller/scopes/visibility.server'
import type { Db } from '#lib/db/db.server'
import { namedList } from '#lib/db/list.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { NamePaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import { hasMorePrivileges, isWithinReach } from '#lib/people/identity/grants.server'
import type { WebhookDocument } from '#lib/people/webhooks/webhooks.schema'
import { isSeenNow } from '#lib/record/events/places.server'

/** All webhooks, each with its creator if the caller sees them. */
const webhooks = (db: Db, caller: Visibility) =>
  db
    .selectFrom('webhooks')
    .leftJoin('users as creators', (join) =>
      join.onRef('creators.id', '=', 'webhooks.user_id').on(seesEnterprise(caller, 'creators.enterprise_id')),
    )
    .select([
      'webhooks.id',
      'webhooks.name',
      'webhooks.url',
      'webhooks.events',
      'webhooks.active',
      'webhooks.failing_since',
      'webhooks.user_id',
      'creators.nick as creator_nick',
      'creators.enterprise_id as creator_enterprise',
    ])

export type WebhookRow = Awaited<ReturnType<typeof findWebhook>>

/** Throws WEBHOOK-0. */
export const findWebhook = ({ caller, db }: ReadContext, id: number) =>
  webhooks(db, caller)
    .where('webhooks.id', '=', id)
    .executeTakeFirstOrThrow(() => new ApiError('WEBHOOK-0'))

export const webhookPath = (id: number): string => pathOf(kinds.webhook, { id })

type Shown = { reached: boolean; secret?: string }

/** The path of the address may contain a secret: only callers who could change the webhook see it. */
export function webhookView(row: WebhookRow, { reached, secret }: Shown): WebhookDocument {
  const path = webhookPath(row.id)
  const creator = pathOf(kinds.user, { enterprise: row.creator_enterprise, id: row.user_id })
  return {
    links: [
      link('edit', path, 'webhook', row.name),
      ...(row.creator_nick === null ? [] : [link('user', creator, 'user', row.creator_nick)]),
      link('deliveries', `${path}/deliveries`, 'webhookdeliveries'),
    ],
    id: row.id,
    name: row.name,
    url: reached ? row.url : new URL(row.url).origin,
    events: JSON.parse(row.events) as string[],
    active: row.active === 1,
    ...(row.failing_since !== null && { failingSince: new Date(row.failing_since).toISOString() }),
    ...(secret !== undefined && { secret }),
  }
}

export const webhookTarget = {
  ids: { webhook: 'WEBHOOK-0' },
  find: (context: ReadContext, { webhook }: { webhook: number }) => findWebhook(context, webhook),
  view: async (row: WebhookRow, context: ReadContext) =>
    webhookView(row, { reached: await reachesCreator(context, row.user_id) }),
} as const

export const listWebhooks = ({
  caller,
  db: read,
  query: paging,
}: ReadContext & { query: NamePaging }): Promise<Listing> =>
  namedList({
    table: 'webhooks',
    from: (db) => webhooks(db, caller),
    paging,
    views: async (rows) => {
      const reached = new Map<number, boolean>()
      for (const { user_id } of rows)
        if (!reached.has(user_id)) reached.set(user_id, await reachesCreator({ caller, db: read }, user_id))
      return rows.map((row) => webhookView(row, { reached: reached.get(row.user_id) === true }))
    },
    path: collectionOf(kinds.webhook),
  })

/** The role, scope and enterprise of a creator, who may be locked or disabled. */
const creatorOf = (db: Db, id: number) =>
  db
    .selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .where('users.id', '=', id)
    .select(['users.role_id', 'users.scope_id', 'users.enterprise_id', 'enterprises.default_scope_id'])
    .executeTakeFirst()

/**
 * True if the caller has every privilege and the visibility of the creator, whose events the webhook delivers. A program whose grant is
 * narrower than its user has less. A deleted creator may be restored by an undo, so they count as seeing everything.
 */
export async function reachesCreator(context: ReadContext, creatorId: number): Promise<boolean> {
  const { caller, db } = context
  const creator = await creatorOf(db, creatorId)
  if (!creator) return seesEverything(caller.scope) && can(caller, ['EVENTLOG_VIEW_ALL'])
  return (
    !(await hasMorePrivileges(context, creator.role_id)) &&
    (await isWithinReach(context, creator.scope_id ?? creator.default_scope_id)) &&
    (await isSeenNow(db, caller, { type: 'enterprise', id: creator.enterprise_id }))
  )
}

/** Throws GEN-15 unless the caller reaches the creator. */
export async function requireReach(context: ReadContext, creatorId: number): Promise<void> {
  if (await reachesCreator(context, creatorId)) return
  const message = 'The webhook carries what its creator may see: the caller has fewer privileges or sees less'
  throw new ApiError(fault('GEN-15', message))
}
