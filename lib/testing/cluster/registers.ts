import type { Operation } from '#lib/testing/cluster/history'

/* Reads against writes. The values of a register only grow, so what a read has to see at least is a number. */

type Of<Op extends Operation['op']> = Extract<Operation, { op: Op }>

export const isA =
  <Op extends Operation['op']>(op: Op) =>
  (operation: Operation): operation is Of<Op> =>
    operation.op === op

export const isOk = ({ outcome }: Operation): boolean => outcome === 'ok'

/** The greatest value that was certain before each moment. */
function certainty(seen: readonly { at: number; value: number }[]): (moment: number) => number {
  let most = 0
  const steps = seen
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, value }) => {
      most = Math.max(most, value)
      return { at, most }
    })
  return (moment) => steps.findLast(({ at }) => at < moment)?.most ?? 0
}

/** Reads that began after the end of a write, or of another read, and saw less. */
export function stale(operations: readonly Operation[]): string[] {
  return [...staleRegisters(operations), ...staleFinds(operations), ...staleLists(operations)]
}

function staleRegisters(operations: readonly Operation[]): string[] {
  const known = operations.filter(isOk)
  const reads = known.filter(isA('read'))
  const writes = known.filter(isA('write'))
  const seen = [...reads, ...writes]
  const byRegister = Map.groupBy(seen, ({ register }) => register)
  const certain = new Map(
    [...byRegister].map(([register, all]) => [
      register,
      certainty(all.map(({ ended, value = 0 }) => ({ at: ended, value }))),
    ]),
  )
  return reads.flatMap(({ register, began, value = 0, console }) => {
    const least = certain.get(register)?.(began) ?? 0
    return value < least
      ? [`${console} read ${value} of ${register} at ${began}, after ${least} was certain`]
      : []
  })
}

/** Things are never deleted, so that what was there once stays there. */
function staleFinds(operations: readonly Operation[]): string[] {
  const known = operations.filter(isOk)
  const finds = known.filter(isA('find'))
  const seen = [...known.filter(isA('create')), ...finds.filter(({ present }) => present)]
  const since = new Map<string, number>()
  for (const { name, ended } of seen) since.set(name, Math.min(ended, since.get(name) ?? ended))
  return finds
    .filter(({ name, began, present }) => !present && (since.get(name) ?? Number.POSITIVE_INFINITY) < began)
    .map(({ name, began, console }) => `${console} did not find ${name} at ${began}`)
}

/** Addresses that were given before a list began are in it. */
function staleLists(operations: readonly Operation[]): string[] {
  const known = operations.filter(isOk)
  const lists = known.filter(isA('list'))
  const since = new Map<string, number>()
  for (const { network, ips = [], ended } of [...known.filter(isA('take')), ...lists])
    for (const ip of ips) {
      const key = `${network} ${ip}`
      since.set(key, Math.min(ended, since.get(key) ?? ended))
    }
  return lists.flatMap(({ network, ips = [], began, console }) => {
    const shown = new Set(ips.map((ip) => `${network} ${ip}`))
    const missing = [...since].filter(
      ([key, at]) => at < began && key.startsWith(`${network} `) && !shown.has(key),
    )
    return missing.map(([key]) => `${console} did not list ${key} at ${began}`)
  })
}
