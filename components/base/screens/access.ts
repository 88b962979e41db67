import type { Privilege } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'

/** The privileges of which any one opens a screen or an action. The navigation leaves out the other screens. */
export const access = {
  scope: ['USERS_MANAGE_SCOPES', 'USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_USERS'],
  manageScopes: ['USERS_MANAGE_SCOPES'],
  datacenters: kinds.datacenter.readers,
  devices: kinds.device.readers,
  natNetworks: kinds.natnetwork.readers,
  changeNatNetworks: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
  natAddresses: kinds.natip.readers,
  settings: ['SYSCONFIG_VIEW'],
  manageSettings: ['SYSCONFIG_ALLOW_MODIFY'],
  enterprises: kinds.enterprise.readers,
  manageEnterprises: ['USERS_MANAGE_ENTERPRISE'],
  users: kinds.user.readers,
  /** The requests of questions about access. */
  askAccess: ['USERS_VIEW'],
  manageUsers: ['USERS_MANAGE_USERS'],
  roles: kinds.role.readers,
  manageRoles: ['USERS_MANAGE_ROLES'],
  events: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'],
} as const satisfies Record<string, readonly Privilege[]>
