import { kinds } from '#lib/caller/kinds/kinds'
import type { Tables } from '#lib/db/tables.server'
import type { Named, StoredChanges, Value } from '#lib/record/events/stored'
import type { ResourceSource, Row } from '#lib/state/undo/resources'

/* The columns of journaled rows as events show them: with the names that their fields and links have in documents. */

export type RowSource = ResourceSource | 'nat_rules'

/** How a column shows; null: in no event. A text is the name of a field. */
type Shown =
  | string
  | { field: string; as: 'flag' | 'list' | 'commas' | 'unset' }
  | { field: string; of: string }
  | null

const flag = (field: string): Shown => ({ field, as: 'flag' })
const of = (kind: string, field: string = kind): Shown => ({ field, of: kind })

const tags = { tags: { field: 'tags', as: 'list' }, tags_key: null } as const
const notes = { description: 'description', description_key: null, ...tags } as const

/** Every column of each table, so that a new one has its decision here. Secrets are in no event. */
const shown: { [Source in RowSource]: Record<keyof Tables[Source], Shown> } = {
  scopes: {
    id: null,
    name: 'name',
    name_key: null,
    natural_key: null,
    parent_id: of('scope', 'scopeParent'),
    all_datacenters: flag('automaticAddDatacenter'),
    all_enterprises: flag('automaticAddEnterprise'),
    ...notes,
  },
  enterprises: {
    id: null,
    name: 'name',
    name_key: null,
    default_scope_id: of('scope'),
    two_factor_mandatory: flag('twoFactorAuthenticationMandatory'),
    properties: null,
    ...notes,
  },
  roles: {
    id: null,
    name: 'name',
    name_key: null,
    enterprise_id: of('enterprise'),
    scope_id: of('scope'),
    blocked: flag('blocked'),
    ...notes,
  },
  users: {
    id: null,
    enterprise_id: of('enterprise'),
    role_id: of('role'),
    scope_id: of('scope'),
    nick: 'nick',
    nick_identity: null,
    nick_key: null,
    name_key: null,
    search_key: null,
    name: 'name',
    surname: 'surname',
    email: 'email',
    locale: 'locale',
    auth_type: 'authType',
    active: flag('active'),
    ends_at: 'ends',
    locked: flag('locked'),
    first_login: flag('firstLogin'),
    invited: flag('invited'),
    password_hash: null,
    token_epoch: null,
    allowed_cidrs: { field: 'allowedCIDRs', as: 'list' },
    two_factor_provider: 'twoFactorProvider',
    two_factor_secret: null,
    two_factor_step: null,
    two_factor_began_by: null,
    two_factor_in_console: null,
    created_at: null,
    modified_at: null,
    ...notes,
  },
  datacenters: {
    id: null,
    name: 'name',
    name_key: null,
    location: 'location',
    ...notes,
  },
  devices: {
    id: null,
    datacenter_id: of('datacenter'),
    device_type_id: of('devicetype'),
    name: 'name',
    name_key: null,
    endpoint: 'endpoint',
    login: 'user',
    password: null,
    ...notes,
  },
  templates: {
    id: null,
    enterprise_id: of('enterprise'),
    datacenter_id: of('datacenter'),
    scope_id: of('scope'),
    name: 'name',
    name_key: null,
    description: 'description',
    ...tags,
  },
  virtual_datacenters: {
    id: null,
    name: 'name',
    name_key: null,
    enterprise_id: of('enterprise'),
    datacenter_id: of('datacenter'),
    device_id: of('device'),
    ...notes,
  },
  virtual_appliances: {
    id: null,
    virtual_datacenter_id: of('virtualdatacenter'),
    name: 'name',
    name_key: null,
    ...notes,
  },
  private_ips: {
    id: null,
    virtual_datacenter_id: of('virtualdatacenter'),
    virtual_machine_id: of('virtualmachine'),
    nic: 'nic',
    ip: 'ip',
    ip_key: null,
    mac: 'mac',
  },
  virtual_machines: {
    id: null,
    virtual_appliance_id: of('virtualappliance'),
    virtual_datacenter_id: of('virtualdatacenter'),
    enterprise_id: of('enterprise'),
    user_id: of('user'),
    template_id: of('virtualmachinetemplate'),
    name: 'name',
    name_key: null,
    label: 'label',
    state: 'state',
    ...notes,
  },
  nat_networks: {
    id: null,
    datacenter_id: of('datacenter'),
    device_id: of('device'),
    name: 'name',
    name_key: null,
    cidr: 'cidr',
    first_key: null,
    last_key: null,
    prefix: null,
    ...notes,
  },
  nat_ips: {
    id: null,
    nat_network_id: of('natnetwork'),
    datacenter_id: of('datacenter'),
    ip: 'ip',
    ip_key: null,
    available: flag('available'),
    quarantine: flag('quarantine'),
    default_snat: flag('defaultSnat'),
    virtual_datacenter_id: of('virtualdatacenter'),
    description: 'description',
    ...tags,
    ends_at: 'ends',
  },
  nat_setasides: {
    id: null,
    datacenter_id: of('datacenter'),
    enterprise_id: of('enterprise'),
    code: 'code',
    subject_id: null,
    other_id: null,
    third_id: null,
    mark: null,
    name: 'subject',
    reason: 'reason',
    until_day: 'until',
    set_by: null,
  },
  nat_rules: {
    id: null,
    nat_ip_id: of('natip'),
    private_ip_id: of('privateip'),
    virtual_machine_id: of('virtualmachine'),
    nat_network_id: of('natnetwork'),
    datacenter_id: of('datacenter'),
    ip_key: null,
    snat: flag('snat'),
    protocol: 'protocol',
    original_port: 'originalPort',
    original_port_end: 'originalPortEnd',
    sources: { field: 'sources', as: 'commas' },
    translated_port: 'translatedPort',
    ends_at: 'ends',
    disabled_at: { field: 'enabled', as: 'unset' },
    description: 'description',
    ...tags,
  },
}

/** The rule's addresses: SNAT goes from the private IP to the NAT IP, DNAT the other way round. */
function fieldName(source: RowSource, field: string, row: Row): string {
  if (source !== 'nat_rules' || (field !== 'natip' && field !== 'privateip')) return field
  return (field === 'natip') === (row.snat === 1) ? 'translated' : 'original'
}

/** `unset`: true where the column is empty. */
function shownIn(row: Row | null, name: string, column: Shown): Value | undefined {
  if (row && column !== null && typeof column === 'object' && 'as' in column && column.as === 'unset')
    return String((row[name] ?? null) === null)
  return shownValue(column, row?.[name])
}

function shownValue(column: Shown, value: Row[string] | undefined): Value | undefined {
  if (column === null || value === undefined || value === null || value === '') return undefined
  if (typeof column === 'string') return String(value)
  if ('of' in column) return { type: column.of, id: Number(value) }
  if (column.as === 'flag') return String(value === 1)
  const items =
    column.as === 'commas' ? String(value).split(',') : (JSON.parse(String(value)) as string[]).map(String)
  return items.length > 0 ? { items } : undefined
}

/** The fields that differ between two rows. */
export function fieldChanges(source: RowSource, before: Row | null, after: Row | null): StoredChanges {
  const either = { ...before, ...after }
  return Object.fromEntries(
    Object.entries<Shown>(shown[source]).flatMap(([name, column]) => {
      if (column === null || before?.[name] === after?.[name]) return []
      const [was, is] = [shownIn(before, name, column), shownIn(after, name, column)]
      if (typeof was !== 'object' && was === is) return []
      const field = typeof column === 'string' ? column : column.field
      const change = { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }
      return [[fieldName(source, field, either), change]]
    }),
  )
}

const names: Record<string, string> = { users: 'nick', nat_ips: 'ip', private_ips: 'ip' }

/** The column with the name of the resources in a table. */
export const nameColumn = (table: string): string => names[table] ?? 'name'

/** A rule has no name: its addresses stand for it. */
export const addressesOf = (row: Row): Named[] => {
  const ip = { type: kinds.natip.name, id: Number(row.nat_ip_id) }
  const own = { type: kinds.privateip.name, id: Number(row.private_ip_id) }
  return row.snat === 1 ? [own, ip] : [ip, own]
}
