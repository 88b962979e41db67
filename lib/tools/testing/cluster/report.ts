import type { RuleName } from '#lib/tools/testing/cluster/check'
import type { ClientOperation } from '#lib/tools/testing/cluster/history'

/* The results of an experiment as a table. */

export type Result = {
  seed: number
  ways: string[]
  seconds: number
  faults: Record<string, number>
  operations: ClientOperation[]
  /** Times at which another node became the primary. */
  promotions: number[]
  found: Record<RuleName, string[]>
}

const isChange = ({ op }: ClientOperation): boolean => !['read', 'find', 'list'].includes(op)

/** From each promotion to the end of the first change that began after it and was acknowledged, in milliseconds. */
export function gapsOf({ operations, promotions }: Pick<Result, 'operations' | 'promotions'>): number[] {
  const acknowledged = operations.filter((each) => isChange(each) && each.outcome === 'ok')
  return promotions.flatMap((at) => {
    const ends = acknowledged.filter(({ began }) => began > at).map(({ ended }) => ended)
    return ends.length === 0 ? [] : [Math.min(...ends) - at]
  })
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

export const countFound = ({ found }: Result): number => Object.values(found).flat().length

const columns: [string, (result: Result) => string | number][] = [
  ['seed', ({ seed }) => seed],
  ['ways', (result) => result.ways.join('; ')],
  ['seconds', ({ seconds }) => seconds],
  ['faults', ({ faults }) => `${sum(faults)} of ${Object.keys(faults).length} kinds`],
  ['promotions', ({ promotions }) => promotions.length],
  ['operations', ({ operations }) => operations.length],
  [
    'acknowledged changes',
    ({ operations }) => operations.filter((each) => isChange(each) && each.outcome === 'ok').length,
  ],
  ['503', ({ operations }) => operations.filter(({ status }) => status === 503).length],
  ['unknown', ({ operations }) => operations.filter(({ outcome }) => outcome === 'unknown').length],
  ['longest gap', (result) => `${(Math.max(0, ...gapsOf(result)) / 1000).toFixed(1)} s`],
]

export function table(results: readonly Result[]): string {
  const rules = Object.keys(results[0]?.found ?? {}) as RuleName[]
  const head = [...columns.map(([name]) => name), ...rules]
  const rows = results.map((result) => [
    ...columns.map(([, cell]) => cell(result)),
    ...rules.map((rule) => result.found[rule].length),
  ])
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** How often each kind of fault happened. */
export const faultsTable = (results: readonly Result[]): string => {
  const all: Record<string, number> = {}
  for (const { faults } of results)
    for (const [kind, count] of Object.entries(faults)) all[kind] = (all[kind] ?? 0) + count
  return Object.entries(all)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join('; ')
}
