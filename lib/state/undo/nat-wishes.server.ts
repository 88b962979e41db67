import { kinds } from '#lib/caller/kinds/kinds'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { findVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.server'
import { ipNotes } from '#lib/cloud/nat/ip-notes.server'
import { findNetwork } from '#lib/cloud/nat/networks.server'
import { changedSettings, settingsOf } from '#lib/cloud/nat/rule-settings.server'
import { type Rule, ruleInRow } from '#lib/cloud/nat/stored-rules.server'
import { slicesOf } from '#lib/db/slices.server'
import { endsText } from '#lib/ground/http/ends.schema'
import type { IpWish } from '#lib/state/reconcile/nat-ips.server'
import type { Placed, RuleWish } from '#lib/state/reconcile/nat-rules.server'
import type { Reconciling } from '#lib/state/reconcile/steps.server'
import type { ChangedRow } from '#lib/state/undo/changed.server'
import type { ChangedResource, TakenBack } from '#lib/state/undo/changed-resources.server'
import { conflictFault, goneFault, thereFault } from '#lib/state/undo/faults'
import { isOver } from '#lib/state/undo/past-ends'
import { presentRows } from '#lib/state/undo/present.server'
import type { Row } from '#lib/state/undo/resources'

/* NAT IPs and rules come by the thousand, so their rows are compared, not their documents. */

const fields = {
  available: 'available',
  quarantine: 'quarantine',
  default_snat: 'defaultSnat',
  virtual_datacenter_id: 'virtualdatacenter',
  description: 'description',
  tags: 'tags',
  ends_at: 'ends',
} as const

type Column = keyof typeof fields

const columns = Object.keys(fields) as Column[]

/** Columns that change with others: with the holder, and the holder with that for which the IP is the default SNAT. */
const together: Partial<Record<Column, readonly Column[]>> = {
  default_snat: ['default_snat', 'virtual_datacenter_id'],
  virtual_datacenter_id: ['default_snat', 'virtual_datacenter_id'],
  ends_at: ['ends_at', 'virtual_datacenter_id'],
}

const shown = (column: Column, row: Row): unknown => {
  const value = row[column] ?? null
  if (column === 'description' || column === 'tags') return value ?? undefined
  if (column === 'ends_at') return value === null ? undefined : endsText(Number(value))
  if (column !== 'virtual_datacenter_id') return value === 1
  return value === null ? undefined : `/cloud/virtualdatacenters/${value}`
}

const differs = (one: Row, other: Row) => (column: Column) =>
  (one[column] ?? null) !== (other[column] ?? null)

const idsOf = (changes: readonly { id: number }[]): number[] => changes.map(({ id }) => id)

export async function* ipWishes(
  context: Reconciling,
  things: readonly ChangedResource[],
): AsyncGenerator<TakenBack> {
  for await (const some of slicesOf(things)) {
    const rows = await presentRows(context.db, 'nat_ips', idsOf(some))
    const present = new Map(rows.map(({ id, row }) => [id, row]))
    for (const thing of some) yield ipTakenBack(context, thing, present.get(thing.id) ?? null)
  }
}

function ipTakenBack(context: Reconciling, thing: ChangedResource, now: Row | null): TakenBack {
  const { id, before = null, after = null } = thing
  const row = now ?? before
  if (!row || (after === null) !== (now === null))
    return { wishes: [], faults: [(now ? thereFault : goneFault)('nat_ips', id)] }
  const isChanged = (column: Column) =>
    !before || !after || (together[column] ?? [column]).some(differs(before, after))
  const changed = columns.filter(isChanged)
  const back = Object.fromEntries(changed.map((column) => [column, before?.[column] ?? null]))
  const faults =
    after && now
      ? changed.filter(differs(after, now)).map((column) =>
          conflictFault(String(row.ip), {
            field: fields[column],
            left: shown(column, after),
            now: shown(column, now),
          }),
        )
      : []
  return { wishes: [ipWish(context, thing, { row, now, should: before && { ...row, ...back } })], faults }
}

type States = { row: Row; now: Row | null; should: Row | null }

function ipWish(context: Reconciling, thing: ChangedResource, { row, now, should }: States): IpWish {
  const [datacenter, network] = [Number(row.datacenter_id), Number(row.nat_network_id)]
  const is = now && stateOf(now)
  return {
    about: thing,
    kind: kinds.natip,
    network: { key: `${network}`, find: () => findNetwork(context, datacenter, network) },
    ip: String(row.ip),
    is,
    should: should && {
      ...stateOf(withoutPastEnd(should, now)),
      holder: holderOf(context, is?.holder ?? null, should),
      ...notesOf(should, now),
    },
    ...(!now && { former: { table: 'nat_ips' as const, id: thing.id } }),
  }
}

/** An IP without an end gets none that is over (docs/api/ends.md, "Ends"). */
const withoutPastEnd = (should: Row, now: Row | null): Row =>
  Number(should.ends_at ?? Number.POSITIVE_INFINITY) <= Date.now() && (now?.ends_at ?? null) === null
    ? { ...should, ends_at: null }
    : should

const stateOf = (row: Row) => ({
  available: row.available === 1,
  quarantine: row.quarantine === 1,
  defaultSnat: row.default_snat === 1,
  holder: typeof row.virtual_datacenter_id === 'number' ? row.virtual_datacenter_id : null,
  ends: endsText(typeof row.ends_at === 'number' ? row.ends_at : null),
})

/** Those that differ from what is there. A release removes them. */
function notesOf(should: Row, now: Row | null) {
  const notes = ipNotes.read(should as never)
  const isReleased = now !== null && now.virtual_datacenter_id !== should.virtual_datacenter_id
  const present = now && !isReleased ? ipNotes.read(now as never) : noNotes
  return JSON.stringify(notes) === JSON.stringify(present) ? {} : { notes }
}

/** Undefined if the holder of the IP does not change. */
function holderOf(context: Reconciling, present: number | null, should: Row) {
  const { holder } = stateOf(should)
  if (holder === present || holder === null) return holder === present ? undefined : null
  return { key: `${holder}`, find: async () => (await findVirtualDatacenter(context, holder)).id }
}

export async function* ruleWishes(
  context: Reconciling,
  rules: readonly ChangedRow[],
): AsyncGenerator<TakenBack> {
  for await (const some of slicesOf(rules)) {
    const rows = await presentRows(context.db, 'nat_rules', idsOf(some))
    const present = new Map(rows.map(({ id, row }) => [id, row]))
    for (const rule of some) yield ruleTakenBack(rule, present.get(rule.id) ?? null)
  }
}

function ruleTakenBack(rule: ChangedRow, now: Row | null): TakenBack {
  const { id, before, after } = rule
  const row = before ?? after
  if (!row || (now === null) !== (after === null))
    return { wishes: [], faults: [(now ? thereFault : goneFault)('nat_rules', id)] }
  const wish = { about: rule, kind: kinds.natrule, network: `${row.nat_network_id}` }
  if (before && after && now) return ruleChangedBack(wish, { before, after, now })
  if (!before) return { wishes: [{ ...wish, is: id, should: null }], faults: [] }
  const former = { table: 'nat_rules' as const, id }
  return { wishes: [{ ...wish, is: null, should: { find: placedAgain }, former }], faults: [] }
}

type RuleStates = { before: Row; after: Row; now: Row }

function ruleChangedBack(
  wish: Pick<RuleWish, 'about' | 'kind' | 'network'>,
  { before, after, now }: RuleStates,
): TakenBack {
  const [was, left, present] = [settingsOf(before), settingsOf(after), settingsOf(now)]
  const back = changedSettings(left, was)
  // As an IP (docs/api/ends.md, "Ends").
  const should = isOver(back) && present.ends === undefined ? { ...back, ends: '' } : back
  const faults = Object.keys(should)
    .filter((field) => field in changedSettings(left, present))
    .map((field) => {
      const name = field as keyof typeof should
      return conflictFault(`NAT rule ${now.id}`, { field, left: left[name], now: present[name] })
    })
  // A rule that was removed and restored is unchanged.
  if (Object.keys(should).length === 0) return { wishes: [], faults: [] }
  return { wishes: [{ ...wish, is: Number(now.id), should }], faults }
}

/** A rule whose end has passed while it was deleted is restored as it would be after its end. */
const notOver = (rule: Rule): Rule => (isOver(rule) ? { ...rule, ends: '', enabled: false } : rule)

/** The rules as they were. */
const placedAgain = async (changes: readonly ChangedRow[]): Promise<Placed[]> =>
  changes.flatMap(({ before: row }) =>
    row ? { machine: Number(row.virtual_machine_id), rule: notOver(ruleInRow(row)) } : [],
  )
