import type { ReadContext } from '#lib/caller/auth/context.server'
import { visibilityOf } from '#lib/caller/scopes/visibility.server'
import type { Trx } from '#lib/db/db.server'
import { isBeyond } from '#lib/people/identity/grants.server'
import { type Claimed, refusalOf, type Verdict } from '#lib/record/events/ending.server'
import { type EndMaker, endMakers } from '#lib/record/mail/end-notices.server'
import { type Acting, actingAs } from '#lib/request/pipeline/inner.server'
import { endKinds } from '#lib/state/ends/end-kinds.server'
import type { EndKind } from '#lib/state/ends/ends-list.schema'

/*
 * What happens at an end happens with the privileges and the sight that the user who set it has then (docs/api/ends.md, "Ends"). They are asked
 * for once for all resources of a kind whose ends one user set.
 */

type Refusals = Map<number, string>

const FORBIDDEN = '403-FORBIDDEN'

/** `isKnown`: an event says already that the end is refused. */
type Known = Verdict & { isKnown: boolean }

/** Who set these ends, and the codes that refuse the changes to them, by the ids of the resources. */
export async function verdictsOf(
  trx: Trx,
  kind: EndKind,
  claimed: readonly Claimed[],
): Promise<(id: number) => Known> {
  const refusals: Refusals = new Map()
  const makers = await endMakers(
    trx,
    kind,
    claimed.map(({ id }) => id),
  )
  if (kind === 'user') requireApart(claimed, makers)
  for (const [user, own] of Map.groupBy(claimed, ({ id }) => makers.get(id)?.id)) {
    const acting = user === undefined ? undefined : await actingAs({ user }, trx)
    if (acting) await addRefusals(trx, { kind, acting, refusals }, own)
    else for (const { id } of own) refusals.set(id, FORBIDDEN)
  }
  return (id) => ({
    by: makers.get(id)?.id,
    refused: refusals.get(id),
    isKnown: (makers.get(id)?.refused ?? null) !== null,
  })
}

/** Throws if one of these users set the end of another one: their own end may come first, so each ends alone, in order. */
function requireApart(claimed: readonly Claimed[], makers: ReadonlyMap<number, EndMaker>): void {
  const users = new Set(claimed.map(({ id }) => id))
  if (users.size > 1 && [...makers.values()].some(({ id }) => users.has(id)))
    throw new Error('The ends of a user and of their maker come one after the other')
}

type Asking = { kind: EndKind; acting: Acting; refusals: Refusals }

/** The paths of one kind have the same operations, so the first stands for all. Only what the user does not see is asked for alone. */
async function addRefusals(
  trx: Trx,
  { kind, acting, refusals }: Asking,
  [first, ...others]: readonly Claimed[],
): Promise<void> {
  if (!first) return
  const permitted = (method: 'GET' | 'PUT', path: string) => refusalOf(() => acting.permit({ method, path }))
  const unread = await permitted('GET', first.seenAt)
  const unchanged = await permitted('PUT', first.changedAt)
  const seen = unread === undefined ? await seenBy(trx, { kind, acting }, [first, ...others]) : new Set()
  const beyond = await beyondOf({ caller: acting.caller, db: trx }, [first, ...others])
  for (const { id, seenAt: path } of [first, ...others]) {
    const unseen =
      unread ?? (seen.has(id) ? undefined : await refusalOf(() => acting.operate({ method: 'GET', path })))
    const refused = unseen ?? unchanged ?? (beyond.has(id) ? 'GEN-15' : undefined)
    if (refused !== undefined) refusals.set(id, refused)
  }
}

/** The users who hold more than the caller by now. Each role with each scope is asked for once. */
async function beyondOf(context: ReadContext, claimed: readonly Claimed[]): Promise<Set<number>> {
  const ids = new Set<number>()
  for (const alike of Map.groupBy(claimed, ({ holds }) => JSON.stringify(holds)).values()) {
    const [{ holds } = {}] = alike
    if (holds && (await isBeyond(context, holds))) for (const { id } of alike) ids.add(id)
  }
  return ids
}

async function seenBy(
  trx: Trx,
  { kind, acting }: Omit<Asking, 'refusals'>,
  claimed: readonly Claimed[],
): Promise<Set<number>> {
  const { table, sees } = endKinds[kind]
  const rows = await trx
    .selectFrom(table)
    .where(
      `${table}.id`,
      'in',
      claimed.map(({ id }) => id),
    )
    .where(sees(visibilityOf(acting.caller)))
    .select(`${table}.id`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
