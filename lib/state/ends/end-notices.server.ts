import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { pathOfRule } from '#lib/cloud/nat/rule-ends.server'
import { database } from '#lib/db/db.server'
import { ApiError } from '#lib/ground/http/errors'
import { siteAddress } from '#lib/ground/http/origin.server'
import { type LinkDocument, linkOf, ownLink } from '#lib/ground/http/view'
import { log } from '#lib/ground/log.server'
import { dueEndNotices, type EndNotice, takeEndNotice } from '#lib/record/mail/end-notices.server'
import { notify } from '#lib/record/mail/outbox.server'
import { type Acting, actFor } from '#lib/request/pipeline/inner.server'

/* Mails about resources that end soon, to the user who set the end, while they see the resource (docs/api.md, "Ends"). */

const BATCH = 100

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

/** The document, if the reader may see the resource now and it still ends then. */
async function shownTo(acting: Acting, notice: EndNotice): Promise<Shown | undefined> {
  try {
    const path = await pathTo(notice)
    if (path === undefined) return undefined
    const document = (await acting.operate({ method: 'GET', path })) as Shown
    return Date.parse(document.ends ?? '') === notice.ends_at ? document : undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

const mail = (notice: Awaited<ReturnType<typeof dueEndNotices>>[number], now: number): Promise<void> =>
  actFor({ user: notice.user_id }, async (trx, acting) => {
    if (!(await takeEndNotice(trx, notice, now)) || !acting) return
    const document = await shownTo(acting, notice)
    const own = ownLink(document)
    if (!own) return
    const ends = ['original', 'translated'].map((rel) => linkOf(document ?? { links: [] }, rel)?.title)
    const href = `${siteAddress()}${own.href.replace(/^\/admin/, '')}`
    await notify(trx, notice.user_id, {
      kind: 'ends',
      entity: notice.entity as 'user' | 'natip' | 'natrule',
      name: own.title ?? ends.join(' → '),
      at: notice.ends_at,
      href,
    })
  })

/** Sends each mail once, in one process or several. One that fails does not delay others. */
export async function remindOfEnds(now: number): Promise<void> {
  for (const notice of await dueEndNotices(database().read, now, BATCH))
    await mail(notice, now).catch((err) => log().error({ err }, 'a mail about an end failed'))
}
