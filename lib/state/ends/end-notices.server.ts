import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { visibilityOf } from '#lib/caller/scopes/visibility.server'
import { pathOfRule } from '#lib/cloud/nat/rule-ends.server'
import { chunksOf } from '#lib/db/chunks'
import { database, type Trx } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import { siteAddress } from '#lib/ground/http/origin.server'
import { type LinkDocument, linkOf, ownLink } from '#lib/ground/http/view'
import { log } from '#lib/ground/log.server'
import { type DueDay, dueEndDays, type EndNotice, takeEndNotices } from '#lib/record/mail/end-notices.server'
import type { EndingItem } from '#lib/record/mail/notices'
import { notify } from '#lib/record/mail/outbox.server'
import { type Acting, actFor } from '#lib/request/pipeline/inner.server'
import { endKinds } from '#lib/state/ends/end-kinds.server'

/* Mails about resources that end soon, to the user who set the ends, while they see the resources (docs/api/ends.md, "Ends"). */

/** Mails of one round. */
const BATCH = 100

/** The resources that a mail names. */
const NAMED = 20

type Shown = { ends?: string; links: LinkDocument[] }

/** Below the virtual datacenter that holds an IP, where those who set its end read it. */
async function pathTo({ entity, entity_id: id }: EndNotice): Promise<string | undefined> {
  if (entity === 'user') return pathOf(kinds.user, { enterprise: '_', id })
  if (entity === 'natrule') return pathOfRule(database().read, id)
  const ip = await database()
    .read.selectFrom('nat_ips')
    .where('id', '=', id)
    .select('virtual_datacenter_id as center')
    .executeTakeFirst()
  return `${pathOf(kinds.virtualdatacenter, { id: ip?.center ?? 0 })}/natips/${id}`
}

/** The name and the page of the resource, if the reader may see it now and it still ends then. */
async function shownTo(
  acting: Acting,
  notice: EndNotice,
): Promise<(EndingItem & { href: string }) | undefined> {
  try {
    const path = await pathTo(notice)
    if (path === undefined) return undefined
    const document = (await acting.operate({ method: 'GET', path })) as Shown
    const own = ownLink(document)
    if (!own || Date.parse(document.ends ?? '') !== notice.ends_at) return undefined
    const sides = ['original', 'translated'].map((rel) => linkOf(document, rel)?.title)
    return {
      entity: notice.entity,
      name: own.title ?? sides.join(' → '),
      at: notice.ends_at,
      href: `${siteAddress()}${own.href.replace(/^\/admin/, '')}`,
    }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** Those that are in visible places and still end then, in the order of their ends. */
async function present(trx: Trx, acting: Acting, notices: readonly EndNotice[]): Promise<EndNotice[]> {
  const found = new Set<string>()
  for (const [entity, own] of Map.groupBy(notices, (notice) => notice.entity)) {
    const { table, sees } = endKinds[entity]
    for (const some of chunksOf(own)) {
      const rows = await trx
        .selectFrom(table)
        .where(
          `${table}.id`,
          'in',
          some.map(({ entity_id }) => entity_id),
        )
        .where(sees(visibilityOf(acting.caller)))
        .select([`${table}.id`, `${table}.ends_at`])
        .execute()
      for (const { id, ends_at } of rows) found.add(`${entity} ${id} ${ends_at}`)
    }
  }
  return notices
    .filter(({ entity, entity_id, ends_at }) => found.has(`${entity} ${entity_id} ${ends_at}`))
    .sort((one, other) => one.ends_at - other.ends_at)
}

/** One mail about all ends of one day. */
const mail = (day: DueDay, now: number): Promise<void> =>
  actFor({ user: day.user_id }, async (trx, acting) => {
    const taken = await takeEndNotices(trx, day, now)
    if (!acting) return
    const all = await present(trx, acting, taken)
    const items: (EndingItem & { href: string })[] = []
    for (const notice of all.slice(0, NAMED)) {
      const item = await shownTo(acting, notice)
      if (item) items.push(item)
    }
    const [first, ...others] = items
    if (!first) return
    const more = all.length - Math.min(all.length, NAMED)
    const many = {
      kind: 'many-ends',
      count: items.length + more,
      items,
      more,
      at: first.at,
      href: `${siteAddress()}/`,
    } as const
    await notify(trx, day.user_id, others.length + more > 0 ? many : { kind: 'ends', ...first })
  })

/** Sends each mail once, in one process or several. One that fails does not delay others. */
export async function remindOfEnds(now: number): Promise<void> {
  for (const day of await dueEndDays(database().read, now, BATCH))
    await mail(day, now).catch((err) => log().error({ err }, 'a mail about ends failed'))
}
