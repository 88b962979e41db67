import { type ClientOperation, type End, isUnsure } from '#lib/tools/testing/cluster/history'

/* Checks reads against writes. The values of a register only grow, so the minimum of a read is a number. */

type Of<Op extends ClientOperation['op']> = Extract<ClientOperation, { op: Op }>

export const isA =
  <Op extends ClientOperation['op']>(op: Op) =>
  (operation: ClientOperation): operation is Of<Op> =>
    operation.op === op

export const isOk = ({ outcome }: ClientOperation): boolean => outcome === 'ok'

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
export function stale(operations: readonly ClientOperation[], end: Pick<End, 'unsure'>): string[] {
  const known = operations.filter(isOk)
  const certain = known.filter((operation) => 'effect' in operation || !isUnsure(end, operation.ended))
  return [staleRegisters, staleFinds, staleLists].flatMap((rule) => rule(known, certain))
}

type Rule = (known: readonly ClientOperation[], certain: readonly ClientOperation[]) => string[]

const staleRegisters: Rule = (known, certain) => {
  const reads = known.filter(isA('read'))
  const seen = [...certain.filter(isA('read')), ...certain.filter(isA('write'))]
  const byRegister = Map.groupBy(seen, ({ register }) => register)
  const least = new Map(
    [...byRegister].map(([register, all]) => [
      register,
      certainty(all.map(({ ended, value = 0 }) => ({ at: ended, value }))),
    ]),
  )
  return reads.flatMap(({ register, began, value = 0, console }) => {
    const most = least.get(register)?.(began) ?? 0
    return value < most
      ? [`${console} read ${value} of ${register} at ${began}, after ${most} was certain`]
      : []
  })
}

/** Resources are never deleted, so a resource that was seen once must stay. */
const staleFinds: Rule = (known, certain) => {
  const finds = known.filter(isA('find'))
  const found = certain.filter(isA('find')).filter(({ present }) => present)
  const seen = [...certain.filter(isA('create')), ...found]
  const since = new Map<string, number>()
  for (const { name, ended } of seen) since.set(name, Math.min(ended, since.get(name) ?? ended))
  return finds
    .filter(({ name, began, present }) => !present && (since.get(name) ?? Number.POSITIVE_INFINITY) < began)
    .map(({ name, began, console }) => `${console} did not find ${name} at ${began}`)
}

/** Addresses that were given before a list began are in it. */
const staleLists: Rule = (known, certain) => {
  const lists = known.filter(isA('list'))
  const since = new Map<string, number>()
  for (const { network, ips = [], ended } of [...certain.filter(isA('take')), ...certain.filter(isA('list'))])
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
