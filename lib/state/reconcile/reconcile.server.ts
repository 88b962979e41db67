import type { Kind } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { countOf, settle } from '#lib/db/savepoints.server'
import type { ApiError } from '#lib/ground/http/errors'
import { type IpWish, ipWays } from '#lib/state/reconcile/nat-ips.server'
import { type RuleWish, ruleWays } from '#lib/state/reconcile/nat-rules.server'
import { cloud, people } from '#lib/state/reconcile/order'
import { firsts, type ResourceWish, removals, saves } from '#lib/state/reconcile/resources.server'
import { type Batch, type Reconciling, type Step, stepsOf } from '#lib/state/reconcile/steps.server'

/*
 * Turns the present state into the desired one, by the operations that a caller would use, with their privileges and rules. Plans wish for
 * the state of a document (lib/state/plans), and an undo for an earlier state (lib/state/undo).
 */

/** One resource as it is and as it should be. */
export type Wish = ResourceWish | IpWish | RuleWish

type Hooks<About> = {
  /** Called with the number of finished wishes, and of all. An error that it throws stops the work. */
  progress?: (done: number, total: number) => void
  /** Called with the wishes that were applied at once. */
  onBatch?: (batch: Batch<About>) => void
  /** Stops at this number of refused steps. */
  most?: number
}

/** Applies the wishes, or those that are not refused. Returns the refusals, each with the reason of its first step. */
export async function reconcile<About>(
  context: Reconciling,
  wishes: readonly (Wish & { about: About })[],
  { progress, onBatch, most }: Hooks<About> = {},
): Promise<Map<About, ApiError>> {
  const steps = await stepsTo(context, wishes)
  const total = countOf(steps)
  let done = 0
  progress?.(done, total)
  const onDone = ({ parts, batch }: Step) => {
    done += parts?.count ?? 1
    progress?.(done, total)
    if (batch) onBatch?.(batch as Batch<About>)
  }
  const refusals = new Map<About, ApiError>()
  for (const [step, refusal] of await settle(context.db, steps, { onDone, most })) {
    const about = step.about as About
    if (!refusals.has(about)) refusals.set(about, refusal)
  }
  return refusals
}

const isIp = (wish: Wish): wish is IpWish => wish.kind === kinds.natip
const isRule = (wish: Wish): wish is RuleWish => wish.kind === kinds.natrule
const isResource = (wish: Wish): wish is ResourceWish => !isIp(wish) && !isRule(wish)

/**
 * Parents are created first and deleted last, and rules are absent while their NAT IPs change. A step that is still too early runs again
 * later.
 */
async function stepsTo(context: Reconciling, wishes: readonly Wish[]): Promise<Step[]> {
  const [ips, rules] = [wishes.filter(isIp), wishes.filter(isRule)]
  const byKind = Map.groupBy(wishes.filter(isResource), ({ kind }) => kind)
  const of = (some: readonly Kind[]) => some.map((kind) => byKind.get(kind) ?? [])
  const made = new Map<unknown, string>()
  const save = (some: readonly Kind[]) => of(some).flatMap((own) => saves(context, own, made))
  const remove = (some: readonly Kind[]) => of(some.toReversed()).flatMap((own) => removals(context, own))
  return [
    ...(await stepsOf(context, rules, ruleWays.remove)),
    ...(await stepsOf(context, ips, ipWays.remove)),
    ...remove([kinds.natnetwork]),
    ...of([kinds.enterprise]).flatMap((own) => firsts(context, own, made)),
    ...save(people),
    ...remove(people),
    ...save([...cloud, kinds.natnetwork]),
    ...(await stepsOf(context, ips, ipWays.save)),
    ...(await stepsOf(context, rules, ruleWays.add)),
    ...(await stepsOf(context, ips, ipWays.withdraw)),
    ...remove(cloud),
  ]
}
