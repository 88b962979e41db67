import type { Privilege } from '#lib/auth/privileges'

/** For each kind of resource, the privileges that open its list; any one is enough (docs/api.md, "Privileges"). */
export const readers = {
  scope: [
    'USERS_VIEW_PRIVILEGES',
    'USERS_MANAGE_SCOPES',
    'USERS_MANAGE_USERS',
    'APPLIB_ALLOW_MODIFY',
    'MANAGE_VAPP_SPEC',
  ],
  enterprise: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE'],
  datacenter: ['PHYS_DC_ENUMERATE', 'VDC_MANAGE', 'USERS_MANAGE_ENTERPRISE', 'APPLIB_VIEW'],
  natnetwork: ['PHYS_DC_RETRIEVE_DETAILS', 'VDC_MANAGE_VAPP', 'VDC_ENUMERATE'],
  natip: ['PHYS_DC_RETRIEVE_DETAILS'],
  user: ['USERS_VIEW', 'USERS_MANAGE_USERS'],
  role: ['USERS_VIEW_PRIVILEGES', 'USERS_MANAGE_ROLES'],
  device: ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES'],
  virtualdatacenter: ['VDC_ENUMERATE', 'VDC_MANAGE'],
} as const satisfies Record<string, readonly Privilege[]>
