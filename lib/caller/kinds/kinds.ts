import { type Kind, kind } from '#lib/caller/kinds/kind'

/* Every kind of resource, once: parents first. */

const inVirtualDatacenter = {
  via: ['virtual_datacenters', 'virtual_datacenter_id'],
  datacenter: 'via.datacenter_id',
  enterprise: 'via.enterprise_id',
} as const

/** What the search reads beside the name. */
const notes = ['description_key', 'tags_key'] as const

export const kinds = {
  scope: kind({
    name: 'scope',
    table: 'scopes',
    path: '/admin/scopes/{id}',
    missing: 'SCOPE-1',
    readers: [
      'USERS_VIEW_PRIVILEGES',
      'USERS_MANAGE_SCOPES',
      'USERS_MANAGE_USERS',
      'APPLIB_ALLOW_MODIFY',
      'MANAGE_VAPP_SPEC',
    ],
    writers: ['USERS_MANAGE_SCOPES'],
    place: { scope: 'id' },
    found: { key: 'name_key', within: ['name_key', ...notes], detail: { of: ['scopes', 'parent_id'] } },
    identity: ['name'],
  }),

  enterprise: kind({
    name: 'enterprise',
    table: 'enterprises',
    path: '/admin/enterprises/{id}',
    missing: 'EN-0',
    readers: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
    writers: ['USERS_MANAGE_ENTERPRISE'],
    place: { enterprise: 'id' },
    found: { key: 'name_key', within: ['name_key', ...notes] },
    identity: ['name'],
  }),

  role: kind({
    name: 'role',
    table: 'roles',
    path: '/admin/roles/{id}',
    missing: 'ROLE-0',
    readers: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
    writers: ['USERS_MANAGE_ROLES'],
    place: { enterprise: 'enterprise_id', orEveryEnterprise: true },
    found: {
      key: 'name_key',
      within: ['name_key', ...notes],
      detail: { of: ['enterprises', 'enterprise_id'] },
    },
    identity: ['name'],
  }),

  user: kind({
    name: 'user',
    table: 'users',
    path: '/admin/enterprises/{enterprise}/users/{id}',
    missing: 'USER-0',
    readers: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
    writers: ['USERS_MANAGE_USERS'],
    place: { enterprise: 'enterprise_id' },
    found: {
      key: 'nick_key',
      name: 'nick',
      alike: ['name_key'],
      within: ['search_key', ...notes],
      detail: ['name', 'surname'],
    },
    identity: ['nick'],
  }),

  accesstoken: kind({
    name: 'accesstoken',
    table: 'access_tokens',
    path: '/admin/enterprises/{enterprise}/users/{user}/tokens/{id}',
    missing: 'TOKEN-0',
    place: { via: ['users', 'user_id'], enterprise: 'via.enterprise_id' },
  }),

  application: kind({
    name: 'application',
    table: 'applications',
    path: '/admin/enterprises/{enterprise}/users/{user}/applications/{id}',
    missing: 'USER-23',
    place: { via: ['users', 'user_id'], enterprise: 'via.enterprise_id' },
  }),

  datacenter: kind({
    name: 'datacenter',
    table: 'datacenters',
    path: '/admin/datacenters/{id}',
    missing: 'DC-0',
    readers: ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW'],
    place: { datacenter: 'id' },
    found: { key: 'name_key', within: ['name_key', ...notes], detail: ['location'] },
  }),

  /** A datacenter as the cloud's users see it. */
  location: kind({
    name: 'location',
    table: 'datacenters',
    path: '/cloud/locations/{id}',
    missing: 'DC-0',
    place: { datacenter: 'id' },
  }),

  device: kind({
    name: 'device',
    table: 'devices',
    path: '/cloud/locations/{datacenter}/devices/{id}',
    missing: 'NETDEVICE-1',
    readers: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'],
    place: { datacenter: 'datacenter_id' },
    found: {
      key: 'name_key',
      within: ['name_key', ...notes],
      detail: { of: ['datacenters', 'datacenter_id'] },
    },
  }),

  virtualmachinetemplate: kind({
    name: 'virtualmachinetemplate',
    table: 'templates',
    path: '/admin/enterprises/{enterprise}/datacenterrepositories/{datacenter}/virtualmachinetemplates/{id}',
    missing: 'TEMPLATE-0',
    place: { datacenter: 'datacenter_id', enterprise: 'enterprise_id' },
  }),

  virtualdatacenter: kind({
    name: 'virtualdatacenter',
    table: 'virtual_datacenters',
    path: '/cloud/virtualdatacenters/{id}',
    missing: 'VDC-0',
    readers: ['VDC_ENUMERATE', 'VDC_MANAGE'],
    writers: ['VDC_MANAGE'],
    place: { datacenter: 'datacenter_id', enterprise: 'enterprise_id' },
    found: {
      key: 'name_key',
      within: ['name_key', ...notes],
      detail: { of: ['enterprises', 'enterprise_id'] },
    },
  }),

  virtualappliance: kind({
    name: 'virtualappliance',
    table: 'virtual_appliances',
    path: '/cloud/virtualdatacenters/{virtualdatacenter}/virtualappliances/{id}',
    missing: 'VAPP-0',
    readers: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    writers: ['VDC_MANAGE_VAPP'],
    place: inVirtualDatacenter,
    found: {
      key: 'name_key',
      within: ['name_key', ...notes],
      ids: { virtualdatacenter: 'virtual_datacenter_id' },
      detail: { of: ['virtual_datacenters', 'virtual_datacenter_id'] },
    },
  }),

  privateip: kind({
    name: 'privateip',
    table: 'private_ips',
    path: '/cloud/virtualdatacenters/{virtualdatacenter}/privateips/{id}',
    missing: 'PRIVATEIP-0',
    place: inVirtualDatacenter,
  }),

  virtualmachine: kind({
    name: 'virtualmachine',
    table: 'virtual_machines',
    path: '/cloud/virtualdatacenters/{virtualdatacenter}/virtualappliances/{virtualappliance}/virtualmachines/{id}',
    missing: 'VM-0',
    readers: ['VDC_ENUMERATE', 'VDC_MANAGE_VAPP'],
    writers: ['VDC_MANAGE_VAPP'],
    place: inVirtualDatacenter,
    found: {
      key: 'name_key',
      within: ['name_key', ...notes],
      ids: { virtualdatacenter: 'virtual_datacenter_id', virtualappliance: 'virtual_appliance_id' },
      detail: { of: ['virtual_datacenters', 'virtual_datacenter_id'] },
    },
  }),

  natnetwork: kind({
    name: 'natnetwork',
    table: 'nat_networks',
    path: '/admin/datacenters/{datacenter}/natnetworks/{id}',
    missing: 'NAT-NET-1',
    readers: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'],
    writers: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    place: { datacenter: 'datacenter_id' },
    found: { key: 'name_key', alike: ['cidr'], within: ['name_key', 'cidr', ...notes], detail: ['cidr'] },
    identity: ['datacenter', 'name'],
  }),

  natip: kind({
    name: 'natip',
    table: 'nat_ips',
    path: '/admin/datacenters/{datacenter}/natnetworks/{natnetwork}/ips/{id}',
    missing: 'NAT-IP-0',
    readers: ['PHYS_DC_RETRIEVE_DETAILS'],
    writers: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
    place: { datacenter: 'datacenter_id' },
    identity: ['datacenter', 'network', 'ip'],
  }),

  natrule: kind({
    name: 'natrule',
    table: 'nat_rules',
    path: '/cloud/virtualdatacenters/{virtualdatacenter}/virtualappliances/{virtualappliance}/virtualmachines/{virtualmachine}/natrules/{id}',
    missing: 'NAT-RULE-0',
    readers: ['PHYS_DC_RETRIEVE_DETAILS'],
    writers: ['VAPP_CUSTOMISE_SETTINGS'],
    place: {
      via: ['virtual_machines', 'virtual_machine_id'],
      datacenter: 'datacenter_id',
      enterprise: 'via.enterprise_id',
    },
    identity: ['datacenter', 'network', 'type'],
  }),

  /** A finding of the NAT check that is set aside until a day. */
  natsetaside: kind({
    name: 'natsetaside',
    table: 'nat_setasides',
    path: '/admin/datacenters/{datacenter}/setasides/{id}',
    missing: 'NAT-CHECK-0',
    readers: ['PHYS_DC_RETRIEVE_DETAILS'],
    writers: ['PHYS_DC_ALLOW_MODIFY_NETWORK', 'VAPP_CUSTOMISE_SETTINGS', 'MANAGE_NATIPS', 'MANAGE_DEVICES'],
    place: { datacenter: 'datacenter_id', enterprise: 'enterprise_id', orEveryEnterprise: true },
  }),

  /** A plan is its maker's alone, and in their enterprise. */
  plan: kind({
    name: 'plan',
    table: 'plans',
    path: '/plans/{id}',
    missing: 'PLAN-0',
    place: { via: ['users', 'user_id'], enterprise: 'via.enterprise_id' },
  }),

  /** In no place: all readers of webhooks see all of them. */
  webhook: kind({
    name: 'webhook',
    table: 'webhooks',
    path: '/admin/webhooks/{id}',
    missing: 'WEBHOOK-0',
    place: {},
  }),

  webhookdelivery: kind({
    name: 'webhookdelivery',
    table: 'webhook_deliveries',
    path: '/admin/webhooks/{webhook}/deliveries/{id}',
    missing: 'WEBHOOKDELIVERY-0',
    place: {},
  }),
} as const

export const allKinds: readonly Kind[] = Object.values(kinds)

const byName = new Map<string, Kind>(allKinds.map((kind) => [kind.name, kind]))

export const kindNamed = (name: string): Kind | undefined => byName.get(name)
