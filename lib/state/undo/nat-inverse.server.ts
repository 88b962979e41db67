import { clearDefaultSnat } from '#lib/cloud/nat/attachments.server'
import { slicesOf } from '#lib/db/slices.server'
import { underFormerIds } from '#lib/db/unique.server'
import type { ChangedRow } from '#lib/state/undo/changed.server'
import type { Inverting } from '#lib/state/undo/inverse.server'
import {
  attachAgain,
  releaseHeld,
  removeMade,
  removeMadeRules,
  restoreRemoved,
  restoreRules,
  setFlags,
  whileUsable,
} from '#lib/state/undo/nat-batches.server'
import { presentRow, presentRows } from '#lib/state/undo/present.server'
import { collectionOf, pathOf, type Row } from '#lib/state/undo/resources'
import { conflictFault, goneFault, type Inverse, type Step, thereFault } from '#lib/state/undo/steps'
import type { Thing } from '#lib/state/undo/things.server'

/* NAT IPs and rules come by the thousand, so their rows are compared, not their documents. */

const fields = {
  available: 'available',
  quarantine: 'quarantine',
  default_snat: 'defaultSnat',
  virtual_datacenter_id: 'virtualdatacenter',
} as const

const columns = Object.keys(fields) as (keyof typeof fields)[]

const shown = (column: keyof typeof fields, row: Row): unknown => {
  const value = row[column] ?? null
  if (column !== 'virtual_datacenter_id') return value === 1
  return value === null ? undefined : `/cloud/virtualdatacenters/${value}`
}

const centerOf = (row: Row): string => `/cloud/virtualdatacenters/${row.virtual_datacenter_id}/natips`

/** The IP as the event left it, apart from what the event did not change. */
function faultsOf(id: string, changed: readonly (keyof typeof fields)[], after: Row, now: Row) {
  return changed
    .filter((column) => (after[column] ?? null) !== (now[column] ?? null))
    .map((column) =>
      conflictFault(id, { field: fields[column], left: shown(column, after), now: shown(column, now) }),
    )
}

/** The inverses of changes of NAT IPs. */
export async function* ipInverses(context: Inverting, things: readonly Thing[]): AsyncGenerator<Inverse> {
  for await (const some of slicesOf(things)) {
    const present = new Map(
      (await presentRows(context.db, 'nat_ips', idsOf(some))).map(({ id, row }) => [id, row]),
    )
    for (const thing of some) yield ipInverse(context, thing, present.get(thing.id) ?? null)
  }
}

const idsOf = (things: readonly { id: number }[]): number[] => things.map(({ id }) => id)

function ipInverse(
  context: Inverting,
  { source, id, before = null, after = null }: Thing,
  now: Row | null,
): Inverse {
  if (!before) return madeIpInverse(context, id, after, now)
  if (!after)
    return now ? { steps: [], faults: [thereFault(source, id)] } : removedIpInverse(context, id, before)
  if (!now) return { steps: [], faults: [goneFault(source, id)] }
  const changed = columns.filter((column) => (before[column] ?? null) !== (after[column] ?? null))
  return {
    faults: faultsOf(String(now.ip), changed, after, now),
    steps: changedIpSteps(context, { before, after, id }),
  }
}

function madeIpInverse(context: Inverting, id: number, after: Row | null, now: Row | null): Inverse {
  if (!now || !after) return { steps: [], faults: [goneFault('nat_ips', id)] }
  const run = () => context.operate({ method: 'DELETE', path: pathOf('nat_ips', now) })
  return {
    faults: faultsOf(String(now.ip), columns, after, now),
    steps: [
      ...releaseSteps(context, id, after),
      { phase: 'away', source: 'nat_ips', run, many: removeMade(context, now) },
    ],
  }
}

function removedIpInverse(context: Inverting, id: number, before: Row): Inverse {
  const document = { ip: before.ip, available: before.available === 1, quarantine: before.quarantine === 1 }
  const run = () =>
    underFormerIds(context.db, [{ table: 'nat_ips', id }], () =>
      context.operate({ method: 'POST', path: collectionOf('nat_ips', before), document }),
    )
  return {
    faults: [],
    steps: [
      { phase: 'back', source: 'nat_ips', run, many: restoreRemoved(context, before) },
      ...attachSteps(context, id, before),
    ],
  }
}

const put = (context: Inverting, path: string, document?: object) =>
  context.operate({ method: 'PUT', path, document })

/** From the virtual datacenter that holds the IP after the event. */
function releaseSteps(context: Inverting, id: number, after: Row): Step[] {
  if (after.virtual_datacenter_id === null) return []
  const run = async () => {
    if (after.default_snat === 1) await clearDefaultSnat(context.db, id)
    await put(context, `${centerOf(after)}/purchased/${id}`)
  }
  return [{ phase: 'release', run, ...(after.default_snat !== 1 && { many: releaseHeld(context, after) }) }]
}

/** To the virtual datacenter that held the IP before the event. */
function attachSteps(context: Inverting, id: number, before: Row): Step[] {
  if (before.virtual_datacenter_id === null) return []
  const attach = () => put(context, `${centerOf(before)}/topurchase/${id}`)
  return [
    {
      phase: 'attach',
      run: () => whileUsable(context, { ids: [id], available: true }, attach),
      many: attachAgain(context, before),
    },
    ...(before.default_snat === 1 ? [defaultStep(context, id, before)] : []),
  ]
}

const flagsIn = ({ available = null, quarantine = null }: Row): Row => ({ available, quarantine })

const defaultStep = (context: Inverting, id: number, before: Row): Step => ({
  phase: 'default',
  run: () => put(context, `${centerOf(before)}/${id}`, { defaultSnat: true }),
})

function changedIpSteps(
  context: Inverting,
  { before, after, id }: { before: Row; after: Row; id: number },
): Step[] {
  const steps: Step[] = []
  const moved = (before.virtual_datacenter_id ?? null) !== (after.virtual_datacenter_id ?? null)
  if (before.available !== after.available || before.quarantine !== after.quarantine)
    steps.push({
      phase: 'update',
      source: 'nat_ips',
      run: () =>
        put(context, pathOf('nat_ips', after), {
          available: before.available === 1,
          quarantine: before.quarantine === 1,
        }),
      many: setFlags(context, { ...after, ...flagsIn(before) }),
    })
  if (moved) steps.push(...releaseSteps(context, id, after), ...attachSteps(context, id, before))
  else if (before.default_snat === 1 && after.default_snat !== 1) steps.push(defaultStep(context, id, before))
  else if (before.default_snat !== 1 && after.default_snat === 1)
    steps.push({
      phase: 'noDefault',
      run: async () => {
        // Checks that the caller may choose the default SNAT.
        await put(context, `${centerOf(after)}/${id}`, { defaultSnat: true })
        await clearDefaultSnat(context.db, id)
      },
    })
  return steps
}

async function machinePath({ db }: Inverting, rule: Row): Promise<string> {
  const machine = await presentRow(db, 'virtual_machines', Number(rule.virtual_machine_id))
  return machine ? pathOf('virtual_machines', machine) : '/cloud/virtualdatacenters/0'
}

/** The inverses of changes of NAT rules. */
export async function* ruleInverses(
  context: Inverting,
  rules: readonly ChangedRow[],
): AsyncGenerator<Inverse> {
  for await (const some of slicesOf(rules)) {
    const present = new Set((await presentRows(context.db, 'nat_rules', idsOf(some))).map(({ id }) => id))
    for (const rule of some) yield ruleInverse(context, rule, present.has(rule.id))
  }
}

function ruleInverse(context: Inverting, { id, before, after }: ChangedRow, isThere: boolean): Inverse {
  if (before) {
    if (isThere) return { steps: [], faults: [thereFault('nat_rules', id)] }
    const restore = async () =>
      context.operate({
        method: 'POST',
        path: `${await machinePath(context, before)}/natrules`,
        document: await ruleDocument(context, before),
      })
    const run = () =>
      underFormerIds(context.db, [{ table: 'nat_rules', id }], () =>
        whileUsable(context, { ids: [Number(before.nat_ip_id)], available: false }, restore),
      )
    return { faults: [], steps: [{ phase: 'rulesBack', run, many: restoreRules(context, before) }] }
  }
  if (!after || !isThere) return { steps: [], faults: [goneFault('nat_rules', id)] }
  const run = async () =>
    context.operate({ method: 'DELETE', path: `${await machinePath(context, after)}/natrules/${id}` })
  return { faults: [], steps: [{ phase: 'rulesAway', run, many: removeMadeRules(context, after) }] }
}

async function ruleDocument({ db }: Inverting, rule: Row): Promise<object> {
  const natIp = `/api${collectionOf('nat_ips', rule)}/${rule.nat_ip_id}`
  const privateIp = await presentRow(db, 'private_ips', Number(rule.private_ip_id))
  const inside = privateIp ? `/api${pathOf('private_ips', privateIp)}` : '/api/'
  const [original, translated] = rule.snat === 1 ? [inside, natIp] : [natIp, inside]
  return {
    snat: rule.snat === 1,
    ...(rule.protocol !== null && { protocol: rule.protocol }),
    ...(rule.original_port !== null && { originalPort: rule.original_port }),
    ...(rule.translated_port !== null && { translatedPort: rule.translated_port }),
    links: [
      { rel: 'original', href: original },
      { rel: 'translated', href: translated },
    ],
  }
}
