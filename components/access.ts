import type { Privilege } from '#lib/auth/privileges'

/** Any one of these privileges opens the screens of that name; the navigation shows what is open. */
export const access = {
  scope: ['USERS_MANAGE_SCOPES', 'USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_USERS'],
  manageScopes: ['USERS_MANAGE_SCOPES'],
  datacenters: ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW'],
  natNetworks: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'],
  changeNatNetworks: ['PHYS_DC_ALLOW_MODIFY_NETWORK'],
  natAddresses: ['PHYS_DC_RETRIEVE_DETAILS'],
  settings: ['SYSCONFIG_VIEW'],
  enterprises: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
  manageEnterprises: ['USERS_MANAGE_ENTERPRISE'],
  users: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
  manageUsers: ['USERS_MANAGE_USERS'],
  roles: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
  manageRoles: ['USERS_MANAGE_ROLES'],
  events: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'],
} as const satisfies Record<string, readonly Privilege[]>
