import { eachOf } from '#lib/db/slices.server'
import type { Fault } from '#lib/ground/http/errors'
import type { Wish } from '#lib/state/reconcile/reconcile.server'
import type { ChangedRow } from '#lib/state/undo/changed.server'
import { isResource, type ResourceSource, type Row } from '#lib/state/undo/resources'

/* The resources that an event changed, from the rows that it changed. */

/** A resource before and after the event. null: it did not exist. undefined: its own row did not change, only rows that are part of it. */
export type ChangedResource = { source: ResourceSource; id: number; before?: Row | null; after?: Row | null }

/** The wishes that undo a change, and the faults that prevent it. */
export type TakenBack = { wishes: Wish[]; faults: Fault[] }

export type Changes = {
  things: ChangedResource[]
  rules: ChangedRow[]
  /** Racks and remote services that were deleted with their datacenter. */
  equipment: ChangedRow[]
  /** Enterprises whose properties changed. */
  properties: number[]
  /** Private IPs that the event attached to a machine. */
  attached: { id: number; machine: number }[]
}

const differs = (row: ChangedRow, ignored: readonly string[]): boolean => {
  const { before, after } = row
  if (!before || !after) return before !== after
  return Object.keys(before).some((name) => !ignored.includes(name) && before[name] !== after[name])
}

const NIC = ['virtual_machine_id', 'nic']

/** A row that was made and removed by the same event is no change. */
const isChange = ({ before, after }: ChangedRow): boolean => before !== null || after !== null

export async function changesOf(rows: readonly ChangedRow[]): Promise<Changes> {
  const things = new Map<string, ChangedResource>()
  const changes: Changes = { things: [], rules: [], equipment: [], properties: [], attached: [] }
  const touch = (source: ResourceSource, id: number) => {
    const key = `${source} ${id}`
    if (!things.has(key)) things.set(key, { source, id })
  }
  for await (const row of eachOf(rows)) {
    if (!isChange(row)) continue
    const { source, id, before, after } = row
    const either = { ...before, ...after }
    if (source === 'nat_rules') changes.rules.push(row)
    else if (source === 'racks' || source === 'remote_services') changes.equipment.push(row)
    else if (source === 'scope_entities') touch('scopes', Number(either.scope_id))
    else if (source === 'role_privileges') touch('roles', id)
    else if (isResource(source)) {
      if (source === 'private_ips' && before && after) nicChange(row, changes, touch)
      if (source === 'enterprises' && before && after && before.properties !== after.properties)
        changes.properties.push(id)
      const ignored = source === 'private_ips' ? NIC : source === 'enterprises' ? ['properties'] : []
      if (differs(row, ignored)) things.set(`${source} ${id}`, { source, id, before, after })
    }
  }
  changes.things = [...things.values()]
  return changes
}

/** Documents of machines have the private IPs, except that they cannot detach one. */
function nicChange(
  { id, before, after }: ChangedRow,
  changes: Changes,
  touch: (source: ResourceSource, id: number) => void,
): void {
  const [was, is] = [before?.virtual_machine_id, after?.virtual_machine_id]
  if (was) touch('virtual_machines', Number(was))
  else if (is) changes.attached.push({ id, machine: Number(is) })
}
