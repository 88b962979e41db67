import type { Kind } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { countOf, settle } from '#lib/db/savepoints.server'
import type { ApiError } from '#lib/ground/http/errors'
import { type IpWish, ipWays } from '#lib/state/reconcile/nat-ips.server'
import { type RuleWish, ruleWays } from '#lib/state/reconcile/nat-rules.server'
import { cloud, people } from '#lib/state/reconcile/order'
import { type ResourceWish, resourceSteps } from '#lib/state/reconcile/resources.server'
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
  const ofKind = new Map([...byKind].map(([kind, own]) => [kind, resourceSteps(context, own)]))
  const of = (some: readonly Kind[], phase: 'firsts' | 'saves' | 'removals'): Step[] =>
    some.flatMap((kind) => ofKind.get(kind)?.[phase] ?? [])
  return [
    ...of([kinds.natsetaside], 'removals'),
    ...(await stepsOf(context, rules, ruleWays.remove)),
    ...(await stepsOf(context, ips, ipWays.remove)),
    ...of([kinds.natnetwork], 'removals'),
    ...of(people, 'firsts'),
    ...of(people, 'saves'),
    ...of(people.toReversed(), 'removals'),
    ...of([...cloud, kinds.natnetwork], 'saves'),
    ...(await stepsOf(context, ips, ipWays.save)),
    ...(await stepsOf(context, rules, ruleWays.add)),
    ...(await stepsOf(context, rules, ruleWays.change)),
    ...(await stepsOf(context, ips, ipWays.withdraw)),
    ...of([kinds.natsetaside], 'saves'),
    ...of(cloud.toReversed(), 'removals'),
  ]
}
