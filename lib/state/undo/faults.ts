import { type Fault, fault } from '#lib/ground/http/errors'
import type { Conflict } from '#lib/state/undo/merge'
import type { ResourceSource } from '#lib/state/undo/resources'

/* The reasons why a change cannot be undone. */

type Source = ResourceSource | 'nat_rules'

const kinds: Record<Source, string> = {
  datacenters: 'datacenter',
  devices: 'device',
  enterprises: 'enterprise',
  nat_ips: 'NAT IP',
  nat_networks: 'NAT network',
  nat_rules: 'NAT rule',
  nat_setasides: 'finding that was set aside',
  private_ips: 'private IP',
  roles: 'role',
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

export const madeSinceFault = (source: Source, id: number): Fault =>
  fault('UNDO-1', `The ${kinds[source]} ${id} was made since, and would be deleted too`)

const shown = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'empty'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The value of a field after the event, and now. */
export const conflictFault = (name: string, { field, left, now }: Conflict): Fault =>
  fault(
    'UNDO-1',
    `${name === '' ? '' : `${name}: `}${field} was ${shown(left)} after the event and is ${shown(now)} now`,
  )
