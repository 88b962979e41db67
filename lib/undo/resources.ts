/* The resources that the rows of a table belong to: their paths below {api}. */

export type Row = Record<string, string | number | null>

/** Each resource of its own, with the path of its collection. Parents come first. */
const collections = {
  scopes: () => '/admin/scopes',
  enterprises: () => '/admin/enterprises',
  roles: () => '/admin/roles',
  users: ({ enterprise_id }: Row) => `/admin/enterprises/${enterprise_id}/users`,
  datacenters: () => '/admin/datacenters',
  devices: ({ datacenter_id }: Row) => `/cloud/locations/${datacenter_id}/devices`,
  templates: ({ enterprise_id, datacenter_id }: Row) =>
    `/admin/enterprises/${enterprise_id}/datacenterrepositories/${datacenter_id}/virtualmachinetemplates`,
  virtual_datacenters: () => '/cloud/virtualdatacenters',
  virtual_appliances: ({ virtual_datacenter_id }: Row) =>
    `/cloud/virtualdatacenters/${virtual_datacenter_id}/virtualappliances`,
  private_ips: ({ virtual_datacenter_id }: Row) =>
    `/cloud/virtualdatacenters/${virtual_datacenter_id}/privateips`,
  virtual_machines: ({ virtual_datacenter_id, virtual_appliance_id }: Row) =>
    `/cloud/virtualdatacenters/${virtual_datacenter_id}/virtualappliances/${virtual_appliance_id}/virtualmachines`,
  nat_networks: ({ datacenter_id }: Row) => `/admin/datacenters/${datacenter_id}/natnetworks`,
  nat_ips: ({ datacenter_id, nat_network_id }: Row) =>
    `/admin/datacenters/${datacenter_id}/natnetworks/${nat_network_id}/ips`,
} as const

export type ResourceSource = keyof typeof collections

export const resourceSources = Object.keys(collections) as ResourceSource[]

/** The tables whose rows are part of another resource, or have rules of their own. */
const parts = ['scope_entities', 'role_privileges', 'nat_rules', 'racks', 'remote_services'] as const

export type Source = ResourceSource | (typeof parts)[number]

export const sources: readonly Source[] = [...resourceSources, ...parts]

export const isSource = (source: string): source is Source => sources.some((name) => name === source)

export const isResource = (source: Source): source is ResourceSource => Object.hasOwn(collections, source)

export const collectionOf = (source: ResourceSource, row: Row): string => collections[source](row)

export const pathOf = (source: ResourceSource, row: Row): string => `${collectionOf(source, row)}/${row.id}`
