import { type Fault, fault } from '#lib/ground/http/errors'
import type { Conflict } from '#lib/state/undo/merge'
import type { Row, Source } from '#lib/state/undo/resources'

/** The order in which changes are taken back: each phase finds what the phases before it made possible. */
export const phases = [
  'rulesAway',
  'release',
  'away',
  'back',
  'update',
  'attach',
  'rulesBack',
  'noDefault',
  'default',
] as const

export type Step = {
  phase: (typeof phases)[number]
  source?: Source
  run: () => Promise<unknown>
  /** Makes room for the steps that wait for each other. */
  detour?: () => Promise<unknown>
  /** How many rows are changed at once. */
  many?: Many
}

/** A change of a row that can be made together with others. `alike` is equal for those. */
export type Many = { alike: string; row: Row; run: (rows: Row[]) => Promise<unknown> }

export type Inverse = { steps: Step[]; faults: Fault[] }

const kinds: Record<Source, string> = {
  datacenters: 'datacenter',
  devices: 'device',
  enterprises: 'enterprise',
  nat_ips: 'NAT IP',
  nat_networks: 'NAT network',
  nat_rules: 'NAT rule',
  private_ips: 'private IP',
  racks: 'rack',
  remote_services: 'remote service',
  role_privileges: 'privilege',
  roles: 'role',
  scope_entities: 'scope entity',
  scopes: 'scope',
  templates: 'template',
  users: 'user',
  virtual_appliances: 'virtual appliance',
  virtual_datacenters: 'virtual datacenter',
  virtual_machines: 'virtual machine',
}

export const goneFault = (source: Source, id: number): Fault =>
  fault('UNDO-1', `The ${kinds[source]} ${id} was deleted since`)

export const thereFault = (source: Source, id: number): Fault =>
  fault('UNDO-1', `The ${kinds[source]} ${id} exists again`)

const shown = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'empty'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What a field was after the event, and what it is now. */
export const conflictFault = (name: string, { field, left, now }: Conflict): Fault =>
  fault(
    'UNDO-1',
    `${name === '' ? '' : `${name}: `}${field} was ${shown(left)} after the event and is ${shown(now)} now`,
  )
