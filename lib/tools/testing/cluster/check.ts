import { double, half, lost, sums, undone } from '#lib/tools/testing/cluster/effects'
import type { ClientOperation, End } from '#lib/tools/testing/cluster/history'
import { stale } from '#lib/tools/testing/cluster/registers'
import { hooks, order } from '#lib/tools/testing/cluster/streams'

/*
 * Judges a history. Each rule is a pure function that returns the operations that violate it. An operation of unknown outcome may have
 * taken effect once or not at all.
 */

export type Rule = (operations: readonly ClientOperation[], end: End) => string[]

export const rules = {
  /** Acknowledged, and not there. */
  lost,
  /** An address given twice, or two effects of one key. */
  double,
  /** A read that does not see a write which was acknowledged before it began, or another read had seen. */
  stale,
  /** The stream leaves out, repeats or swaps events, or has one that the journal does not have. */
  order,
  /** Totals that differ from the number of rows. */
  sums,
  /** An event that was undone twice. */
  undone,
  /** Webhooks about events that do not exist, and events without a webhook. */
  hooks,
  /** A plan, a run of IPs or a bulk change in part. */
  half,
  odd,
} satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** Answers that no fault explains. */
function odd(operations: readonly ClientOperation[]): string[] {
  const expected = [0, 200, 201, 204, 404, 409, 412, 503]
  return operations
    .filter(({ status }) => !expected.includes(status))
    .map(({ op, status, codes = '', console }) => `${op} answered ${status} ${codes} by ${console}`)
}

export function check(operations: readonly ClientOperation[], end: End): Record<RuleName, string[]> {
  const found = Object.entries(rules).map(([name, rule]) => [name, rule(operations, end)])
  return Object.fromEntries(found) as Record<RuleName, string[]>
}
