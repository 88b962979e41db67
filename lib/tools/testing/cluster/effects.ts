import type { ClientOperation, End } from '#lib/tools/testing/cluster/history'
import { isA, isOk } from '#lib/tools/testing/cluster/registers'

/* The effects of all operations at the end. */

type Rule = (operations: readonly ClientOperation[], end: End) => string[]

/** The names under which the parts of a change are found at the end. */
function partsOf(operation: ClientOperation): string[] {
  switch (operation.op) {
    case 'create':
      return [`datacenter ${operation.name}`]
    case 'take':
      return (operation.ips ?? []).map((ip) => `${operation.network} ${ip}`)
    case 'bulk':
      return operation.ips.map((ip) => `quarantine of ${operation.network} ${ip}`)
    case 'plan':
      return operation.parts.map((name) => `scope ${name}`)
    case 'undo':
      return [`undo of ${operation.event}`]
    default:
      return []
  }
}

const ipsOf = (end: End): { network: string; ip: string; quarantine: boolean }[] =>
  Object.entries(end.networks).flatMap(([network, ips]) => ips.map((each) => ({ network, ...each })))

const undoneIn = ({ journal }: End): number[] => journal.flatMap(({ undoes }) => undoes ?? [])

function everything(end: End): Set<string> {
  const ips = ipsOf(end)
  return new Set([
    ...end.names.map((name) => `datacenter ${name}`),
    ...end.scopes.map((name) => `scope ${name}`),
    ...ips.map(({ network, ip }) => `${network} ${ip}`),
    ...ips.filter(({ quarantine }) => quarantine).map(({ network, ip }) => `quarantine of ${network} ${ip}`),
    ...undoneIn(end).map((event) => `undo of ${event}`),
  ])
}

export const lost: Rule = (operations, end) => {
  const there = everything(end)
  const known = operations.filter(isOk)
  const gone = known.flatMap((operation) =>
    partsOf(operation)
      .filter((part) => !there.has(part))
      .map((part) => `${part}, acknowledged at ${operation.ended} by ${operation.console}`),
  )
  const values = known
    .filter(isA('write'))
    .filter(({ register, value }) => (end.registers[register]?.value ?? 0) < value)
  return [
    ...new Set(gone),
    ...values.map(({ register, text, ended }) => `${text} in ${register}, acknowledged at ${ended}`),
  ]
}

export const half: Rule = (operations, end) => {
  const there = everything(end)
  const changes = [...operations.filter(isA('plan')), ...operations.filter(isA('bulk'))]
  const partial = changes.filter((change) => {
    const parts = partsOf(change)
    return ![0, parts.length].includes(parts.filter((part) => there.has(part)).length)
  })
  const runs = operations.filter(isA('take')).filter(({ ips, count }) => ips && ips.length !== count)
  return [...partial, ...runs].map(({ op, effect }) => `${op} ${effect} took effect in part`)
}

const repeated = (all: readonly string[]): string[] => [
  ...new Set(all.filter((each, at) => all.indexOf(each) !== at)),
]

/** One line for each resource that was assigned to two changes. */
function givenTwice(operations: readonly ClientOperation[]): string[] {
  const given = new Map<string, string>()
  const faults: string[] = []
  const give = (what: string, effect: string) => {
    if ((given.get(what) ?? effect) !== effect)
      faults.push(`${what} was given to ${given.get(what)} and to ${effect}`)
    given.set(what, effect)
  }
  for (const operation of operations.filter(isOk)) {
    if (operation.op === 'write') give(`value ${operation.value} of ${operation.register}`, operation.effect)
    if (['create', 'take', 'plan'].includes(operation.op) && 'effect' in operation)
      for (const part of partsOf(operation)) give(part, operation.effect)
  }
  return faults
}

/** Repeated requests of one key have the same answer. */
function twoEffects(operations: readonly ClientOperation[]): string[] {
  const answers = new Map<string, string>()
  return operations.filter(isOk).flatMap((operation) => {
    if (operation.op !== 'create' && operation.op !== 'take') return []
    const { effect, id, ips } = operation
    const answer = JSON.stringify([id, ips])
    const before = answers.get(effect) ?? answer
    answers.set(effect, answer)
    return before === answer ? [] : [`${effect} was answered ${before} and ${answer}`]
  })
}

/** No more rows than were asked for. */
function surplus(operations: readonly ClientOperation[], end: End): string[] {
  const takes = operations.filter(isA('take')).filter(({ outcome }) => outcome !== 'fail')
  const asked = new Map<string, Map<string, number>>()
  for (const { network, effect, count } of takes)
    asked.set(network, (asked.get(network) ?? new Map()).set(effect, count))
  return Object.entries(end.networks).flatMap(([network, ips]) => {
    const most = [...(asked.get(network)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
    return ips.length > most ? [`${network} has ${ips.length} IPs, of ${most} at most`] : []
  })
}

export const double: Rule = (operations, end) => [
  ...givenTwice(operations),
  ...twoEffects(operations),
  ...surplus(operations, end),
  ...repeated([...end.names, ...end.scopes]).map((name) => `${name} is there twice`),
  ...repeated(ipsOf(end).map(({ network, ip }) => `${network} ${ip}`)).map((ip) => `${ip} is there twice`),
  ...repeated(
    end.journal
      .filter(({ action, entity }) => `${entity}.${action}` === 'datacenter.create')
      .map(({ name }) => name),
  ).map((name) => `the journal has the creation of ${name} twice`),
]

export const undone: Rule = (operations, end) => {
  const succeeded = operations.filter(isA('undo')).filter(isOk)
  const effects = Map.groupBy(succeeded, ({ event }) => event)
  const twice = [...effects].filter(([, all]) => new Set(all.map(({ effect }) => effect)).size > 1)
  const inJournal = repeated(undoneIn(end).map(String))
  return [
    ...twice.map(([event]) => `two undos of event ${event} succeeded`),
    ...inJournal.map((event) => `the journal has two undos of event ${event}`),
  ]
}

export const sums: Rule = (operations, end) => {
  const lists = operations.filter(isA('list')).filter(isOk)
  // The rows are read after the count, and no row is deleted.
  const wrong = lists.filter(({ ips = [], total = 0 }) => ips.length < total)
  const quarantined = ipsOf(end).filter(({ quarantine }) => quarantine).length
  const counted = end.journal
    .filter(({ action }) => action === 'change-natips')
    .reduce((sum, { count = 0 }) => sum + count, 0)
  return [
    ...wrong.map(
      ({ network, ips = [], total, began }) => `${network} had ${ips.length} rows of ${total} at ${began}`,
    ),
    ...(quarantined === counted
      ? []
      : [`${quarantined} IPs are in quarantine, the journal counts ${counted}`]),
    ...(end.wrongTotals === 0 ? [] : [`${end.wrongTotals} stored totals are wrong`]),
  ]
}
