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
  /** A restored resource existed before, so it may break rules for new ones (docs/api/undo.md, "Undo"). */
  restores?: boolean
  /** The common part of the events of all operations. Without it they write none. */
  part?: StoredChanges
}

/** A resource as it is and as it should be. null: it does not, or should not, exist. */
export type Wished = {
  about: unknown
  is: unknown
  should: unknown
  /** The restored row. */
  former?: Former
}

/** Many resources that are changed at once, and the action of their event. */
export type Batch<About> = { action: string; of: readonly About[] }

export type Step = Attempt & { about: unknown; batch?: Batch<unknown> }

export type Several<T> = readonly [T, ...T[]]

/** A change of resources that come by the thousand. */
export type Way<W> = {
  /** Whether the wish needs it. */
  of: (wish: W) => unknown
  /** Equal for resources that one batch can change. undefined: a step of its own. null: nothing to do. */
  alike: (wish: W) => string | null | undefined
  /** Of the batch. */
  action: (wish: W) => string
  /** Changes one resource, or many similar ones. A refused step changes nothing. */
  run: (context: Reconciling, wishes: Several<W>) => Promise<unknown>
}

/** Resources in one batch: about 40 ms of work, during which other requests wait on SQLite. With 100, a plan takes half as long again. */
const MOST = 250

/** Fewer resources have steps of their own. */
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

/**
 * A created or deleted resource has a document only in its own event: before or after the other events of the transaction it does not
 * exist.
 */
export const perform = (
  { operate, part }: Reconciling,
  { is, should }: Wished,
  inner: Inner,
): Promise<unknown> => {
  const hasDocuments = inner.method !== 'PUT' || (is !== null && should !== null)
  return operate(part ? { ...inner, part: { changes: part, hasDocuments } } : inner)
}

type Some = { context: Reconciling; wishes: Several<Wished> }

/** A batch reports only that it failed. The single operations then report the reason. */
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

/** A restored resource gets its former id. */
export const underIds = <T>({ context, wishes }: Some, work: () => Promise<T>): Promise<T> => {
  const former = wishes.flatMap((wish) => wish.former ?? [])
  return underFormerIds(context.db, former, work)
}
