/** Every privilege of the product: the ROLE_ names that clients know, without `ROLE_`. */
export const privileges = {
  ENTERPRISE_ENUMERATE: 'List enterprises',
  ENTERPRISE_ADMINISTER_ALL: 'Administer all enterprises',
  PHYS_DC_ENUMERATE: 'List datacenters',
  PHYS_DC_RETRIEVE_DETAILS: 'View datacenter details',
  PHYS_DC_MANAGE: 'Create, change and delete datacenters',
  PHYS_DC_ALLOW_MODIFY_NETWORK: 'Change the network configuration of datacenters',
  MANAGE_DEVICES: 'Manage network devices',
  VDC_ENUMERATE: 'View virtual datacenters',
  VDC_MANAGE: 'Manage virtual datacenters',
  VDC_MANAGE_VAPP: 'Manage virtual appliances',
  MANAGE_NATIPS: 'Attach and release NAT IPs',
  VAPP_CUSTOMISE_SETTINGS: 'Change NAT rules of virtual machines',
  APPLIB_VIEW: 'View the template library',
  APPLIB_ALLOW_MODIFY: 'Change the template library',
  MANAGE_VAPP_SPEC: 'Manage virtual appliance specifications',
  USERS_VIEW: 'View users',
  USERS_MANAGE_USERS: 'Manage users',
  USERS_MANAGE_OTHER_ENTERPRISES: 'Manage users of other enterprises',
  USERS_MANAGE_ENTERPRISE: 'Manage enterprises',
  USERS_VIEW_PRIVILEGES: 'View roles and privileges',
  USERS_MANAGE_ROLES: 'Manage roles',
  USERS_MANAGE_SCOPES: 'Manage scopes',
  USERS_MANAGE_APPLICATIONS: 'Manage applications of other users',
  EVENTLOG_VIEW_ENTERPRISE: 'View the events of one’s own enterprise',
  EVENTLOG_VIEW_ALL: 'View all events',
  SYSCONFIG_VIEW: 'View the system configuration',
  SYSCONFIG_ALLOW_MODIFY: 'Change the system configuration',
} as const

export type Privilege = keyof typeof privileges

export const allPrivileges = Object.keys(privileges) as Privilege[]

export const isPrivilege = (name: string): name is Privilege => Object.hasOwn(privileges, name)

const user: Privilege[] = [
  'VDC_ENUMERATE',
  'VDC_MANAGE_VAPP',
  'MANAGE_NATIPS',
  'VAPP_CUSTOMISE_SETTINGS',
  'EVENTLOG_VIEW_ENTERPRISE',
]

/** The roles that every installation starts with. CLOUD_ADMIN is blocked: it cannot be edited. */
export const defaultRoles: { name: string; blocked: boolean; privileges: Privilege[] }[] = [
  { name: 'CLOUD_ADMIN', blocked: true, privileges: allPrivileges },
  {
    name: 'ENTERPRISE_ADMIN',
    blocked: false,
    privileges: [
      ...user,
      'VDC_MANAGE',
      'APPLIB_VIEW',
      'APPLIB_ALLOW_MODIFY',
      'USERS_VIEW',
      'USERS_MANAGE_USERS',
    ],
  },
  { name: 'USER', blocked: false, privileges: user },
  { name: 'ENTERPRISE_VIEWER', blocked: false, privileges: ['VDC_ENUMERATE', 'EVENTLOG_VIEW_ENTERPRISE'] },
]

/** The visibility of a caller's scope: all datacenters or enterprises, or only those that the scope lists. */
export type CallerScope = { id: number; allDatacenters: boolean; allEnterprises: boolean }

/** A scope without limits: only its users see the level above all scopes, and may create a scope there. */
export const seesEverything = (own: Pick<CallerScope, 'allDatacenters' | 'allEnterprises'>): boolean =>
  own.allDatacenters && own.allEnterprises

/** The authenticated user of a request, the same for every mechanism. */
export type Caller = {
  id: number
  nick: string
  enterpriseId: number
  scope: CallerScope
  privileges: ReadonlySet<Privilege>
  /** Set while the caller reads a past moment. */
  inPast?: true
}

/** Any one of the privileges is enough. */
export const can = (caller: Pick<Caller, 'privileges'>, anyOf: readonly Privilege[]): boolean =>
  anyOf.some((privilege) => caller.privileges.has(privilege))
