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
export type Wished = {
  about: unknown
  is: unknown
  should: unknown
  /** The row that comes back. */
  former?: Former
}

/** Many things that are changed at once, and how an event names that. */
export type Batch<About> = { action: string; of: readonly About[] }

export type Step = Attempt & { about: unknown; batch?: Batch<unknown> }

export type Several<T> = readonly [T, ...T[]]

/** A change of things that come by the thousand. */
export type Way<W> = {
  /** Whether the wish needs it. */
  of: (wish: W) => unknown
  /** Equal for what one batch can change. undefined: a step of its own. null: nothing to do. */
  alike: (wish: W) => string | null | undefined
  /** Of the batch. */
  action: (wish: W) => string
  /** Changes one, or many that are alike. What is refused changes nothing. */
  run: (context: Reconciling, wishes: Several<W>) => Promise<unknown>
}

/** Things in one batch: about 40 ms of work, during which SQLite holds up other requests. With 100, a plan takes half as long again. */
const MOST = 250

/** Fewer things have steps of their own. */
const FEWEST = 20

/** The steps of these wishes: batches first, with the single steps as their parts. */
export async function stepsOf<W extends Wished>(
  context: Reconciling,
  wishes: readonly W[],
  { of, alike, action, run }: Way<W>,
): Promise<Step[]> {
  const one = (wish: W): Step => ({ about: wish.about, run: () => run(context, [wish]) })
  const groups = await groupedBy(wishes.filter(of), alike)
  const alone = groups.get(undefined) ?? []
  const batches: Step[] = []
  for (const [key, group] of groups) {
    if (typeof key !== 'string') continue
    if (group.length < FEWEST) alone.push(...group)
    else
      for (const [first, ...others] of chunksOf(group, MOST)) {
        if (!first) continue
        const all: Several<W> = [first, ...others]
        batches.push({
          about: first.about,
          batch: { action: action(first), of: all.map(({ about }) => about) },
          run: () => run(context, all),
          parts: { count: all.length, steps: () => all.map(one) },
        })
      }
  }
  return [...batches, ...alone.map(one)]
}

/** What is made or goes has documents only with that event: before or after the others of the transaction there is none. */
export const perform = (
  { operate, part }: Reconciling,
  { is, should }: Wished,
  inner: Inner,
): Promise<unknown> => {
  const hasDocuments = inner.method !== 'PUT' || (is !== null && should !== null)
  return operate(part ? { ...inner, part: { changes: part, hasDocuments } } : inner)
}

type Some = { context: Reconciling; wishes: Several<Wished> }

/** One by the operation, which says why it is refused; many by its privileges and what has its rules, which only has to refuse. */
export async function change(
  { context, wishes: [first, ...others] }: Some,
  inner: Inner,
  many: () => Promise<unknown>,
): Promise<void> {
  if (others.length === 0) await perform(context, first, inner)
  else {
    await context.permit(inner)
    await many()
  }
}

/** What comes back does so under its id. */
export const underIds = <T>({ context, wishes }: Some, work: () => Promise<T>): Promise<T> => {
  const former = wishes.flatMap((wish) => wish.former ?? [])
  return underFormerIds(context.db, former, work)
}

export const idIn = (path: string): number => Number(path.split('/').at(-1))
