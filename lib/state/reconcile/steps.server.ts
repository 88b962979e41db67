import { chunksOf } from '#lib/db/chunks'
import type { Trx } from '#lib/db/db.server'
import type { Attempt } from '#lib/db/savepoints.server'
import { groupedBy } from '#lib/db/slices.server'
import { type Former, underFormerIds } from '#lib/db/unique.server'
import type { Context, Inner } from '#lib/record/events/operation.server'
import type { StoredChanges } from '#lib/record/events/stored'

/* Steps towards wishes: an operation for each, or, for many that are alike, a few statements by the privileges and rules of that operation. */

export type Reconciling = Pick<Context, 'caller' | 'operate' | 'permit'> & {
  db: Trx
  /** What comes back was there before, so it also may be what nobody may make it now (docs/api.md, "Undo"). */
  restores?: boolean
  /** What the events of all operations have in common. Without it they have none. */
  part?: StoredChanges
}

/** A thing as it is and as it should be. null: it is not, or should not be, there. */
export type Wished<About> = {
  about: About
  is: unknown
  should: unknown
  /** The row that comes back. */
  former?: Former
}

/** Many things that are changed at once, and how an event names that. */
export type Batch<About> = { action: string; of: readonly About[] }

export type Step<About> = Attempt & { about: About; batch?: Batch<About> }

/** Things in one batch: about 40 ms of work, during which SQLite holds up other requests. With 100, a plan takes half as long again. */
const MOST = 250

/** Fewer things have steps of their own. */
const FEWEST = 20

type Steps<W> = {
  /** Equal for what one batch can change. undefined: a step of its own. null: nothing to do. */
  alike: (wish: W) => string | null | undefined
  /** Of the batch. */
  action: (wish: W) => string
  /** Changes one, or many that are alike. What is refused changes nothing. */
  run: (wishes: readonly W[]) => Promise<unknown>
}

/** The steps for these wishes: batches first, with the single steps as their parts. */
export async function stepsFor<About, W extends { about: About }>(
  wishes: readonly W[],
  { alike, action, run }: Steps<W>,
): Promise<Step<About>[]> {
  const one = (wish: W): Step<About> => ({ about: wish.about, run: () => run([wish]) })
  const groups = await groupedBy(wishes, alike)
  const alone = groups.get(undefined) ?? []
  const batches: Step<About>[] = []
  for (const [key, group] of groups) {
    const [first] = group
    if (typeof key !== 'string' || !first) continue
    if (group.length < FEWEST) alone.push(...group)
    else
      for (const some of chunksOf(group, MOST))
        batches.push({
          about: first.about,
          batch: { action: action(first), of: some.map(({ about }) => about) },
          run: () => run(some),
          parts: { count: some.length, steps: () => some.map(one) },
        })
  }
  return [...batches, ...alone.map(one)]
}

/** What is made or goes has documents only with that event: before or after the others of the transaction there is none. */
export const perform = (
  { operate, part }: Reconciling,
  { is, should }: Wished<unknown>,
  inner: Inner,
): Promise<unknown> => {
  const hasDocuments = inner.method !== 'PUT' || (is !== null && should !== null)
  return operate(part ? { ...inner, part: { changes: part, hasDocuments } } : inner)
}

/** One by the operation, which says why it is refused; many by its privileges and what has its rules, which only has to refuse. */
export async function change(
  context: Reconciling,
  wishes: readonly Wished<unknown>[],
  { inner, many }: { inner: Inner; many: () => Promise<unknown> },
): Promise<void> {
  const [first, ...others] = wishes
  if (first && others.length === 0) await perform(context, first, inner)
  else {
    await context.permit(inner)
    await many()
  }
}

/** What comes back does so under its id. */
export const underIds = <T>(
  { db }: Reconciling,
  wishes: readonly Wished<unknown>[],
  work: () => Promise<T>,
): Promise<T> =>
  underFormerIds(
    db,
    wishes.flatMap(({ former }) => former ?? []),
    work,
  )

export const idIn = (path: string): number => Number(path.split('/').at(-1))
