import type { Privilege } from '#lib/auth/privileges'
import { readers } from '#lib/auth/readers'

/** The privileges of which any one opens a screen or an action. The navigation leaves out the other screens. */
export const access = {
  scope: ['USERS_MANAGE_SCOPES', 'USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_USERS'],
  manageScopes: ['USERS_MANAGE_SCOPES'],
  datacenters: readers.datacenter,
  devices: readers.device,
  natNetworks: readers.natnetwork,
  changeNatNetworks: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
  natAddresses: readers.natip,
  settings: ['SYSCONFIG_VIEW'],
  manageSettings: ['SYSCONFIG_ALLOW_MODIFY'],
  enterprises: readers.enterprise,
  manageEnterprises: ['USERS_MANAGE_ENTERPRISE'],
  users: readers.user,
  /** Questions who may do what. */
  askAccess: ['USERS_VIEW'],
  manageUsers: ['USERS_MANAGE_USERS'],
  roles: readers.role,
  manageRoles: ['USERS_MANAGE_ROLES'],
  events: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'],
} as const satisfies Record<string, readonly Privilege[]>
