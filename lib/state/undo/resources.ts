import { collectionOf as collectionIn, type Kind, pathOf as pathIn } from '#lib/caller/kinds/kind'
import { cloud, nat, people } from '#lib/state/reconcile/order'

/* The resources that the rows of a table belong to: their paths below {api}. */

export type Row = Record<string, string | number | null>

const resources = [...people, ...cloud, ...nat] as const

export type ResourceSource = (typeof resources)[number]['table']

const byTable = Object.fromEntries(resources.map((kind) => [kind.table, kind])) as Record<
  ResourceSource,
  Kind
>

export const resourceSources: readonly ResourceSource[] = resources.map(({ table }) => table)

/** The tables whose rows are part of another resource, or have rules of their own. */
const parts = ['scope_entities', 'role_privileges', 'nat_rules', 'racks', 'remote_services'] as const

export type Source = ResourceSource | (typeof parts)[number]

export const sources: readonly Source[] = [...resourceSources, ...parts]

export const isSource = (source: string): source is Source => sources.some((name) => name === source)

export const isResource = (source: Source): source is ResourceSource => Object.hasOwn(byTable, source)

export const resourceKindOf = (source: ResourceSource): Kind => byTable[source]

/** The columns of the ids in paths. */
const idsIn = (row: Row): Record<string, Row[string]> => ({
  id: row.id ?? null,
  enterprise: row.enterprise_id ?? null,
  datacenter: row.datacenter_id ?? null,
  virtualdatacenter: row.virtual_datacenter_id ?? null,
  virtualappliance: row.virtual_appliance_id ?? null,
  natnetwork: row.nat_network_id ?? null,
})

export const collectionOf = (source: ResourceSource, row: Row): string =>
  collectionIn(byTable[source], idsIn(row))

export const pathOf = (source: ResourceSource, row: Row): string => pathIn(byTable[source], idsIn(row))
