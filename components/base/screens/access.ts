import type { Privilege } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'

/** The privileges of which any one opens a screen or an action. The navigation leaves out the other screens. */
export const access = {
  scope: ['USERS_MANAGE_SCOPES', 'USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_USERS'],
  manageScopes: kinds.scope.writers,
  datacenters: kinds.datacenter.readers,
  /** All of them together publish a port. */
  publish: ['VDC_ENUMERATE', 'MANAGE_NATIPS', 'VAPP_CUSTOMISE_SETTINGS'],
  centers: kinds.virtualdatacenter.readers,
  manageCenters: kinds.virtualdatacenter.writers,
  machines: kinds.virtualmachine.readers,
  manageMachines: kinds.virtualmachine.writers,
  devices: kinds.device.readers,
  natNetworks: kinds.natnetwork.readers,
  changeNatNetworks: kinds.natnetwork.writers,
  changeRules: kinds.natrule.writers,
  natAddresses: kinds.natip.readers,
  /** All addresses of a datacenter, or those that virtual datacenters hold. */
  addresses: [...kinds.natip.readers, 'VDC_ENUMERATE'],
  settings: ['SYSCONFIG_VIEW'],
  manageSettings: ['SYSCONFIG_ALLOW_MODIFY'],
  enterprises: kinds.enterprise.readers,
  manageEnterprises: kinds.enterprise.writers,
  users: kinds.user.readers,
  /** Users, NAT IPs and NAT rules that end, each with its readers. */
  ends: [
    ...kinds.user.readers,
    ...kinds.natip.readers,
    'VDC_ENUMERATE',
    'VDC_MANAGE_VAPP',
    'VAPP_CUSTOMISE_SETTINGS',
    'MANAGE_NATIPS',
  ],
  /** The requests of questions about access. */
  askAccess: ['USERS_VIEW'],
  manageUsers: kinds.user.writers,
  roles: kinds.role.readers,
  manageRoles: kinds.role.writers,
  events: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'],
} as const satisfies Record<string, readonly Privilege[]>
