import type { Privilege } from '#lib/caller/auth/privileges'

/** The privileges, by subject. */
export const privilegeGroups = {
  nat: ['PHYS_DC_ALLOW_MODIFY_NETWORK', 'MANAGE_DEVICES', 'MANAGE_NATIPS', 'VAPP_CUSTOMISE_SETTINGS'],
  datacenters: ['PHYS_DC_ENUMERATE', 'PHYS_DC_RETRIEVE_DETAILS', 'PHYS_DC_MANAGE'],
  virtual: ['VDC_ENUMERATE', 'VDC_MANAGE', 'VDC_MANAGE_VAPP'],
  templates: ['APPLIB_VIEW', 'APPLIB_ALLOW_MODIFY', 'MANAGE_VAPP_SPEC'],
  enterprises: ['ENTERPRISE_ENUMERATE', 'USERS_MANAGE_ENTERPRISE', 'ENTERPRISE_ADMINISTER_ALL'],
  users: [
    'USERS_VIEW',
    'USERS_MANAGE_USERS',
    'USERS_MANAGE_OTHER_ENTERPRISES',
    'USERS_VIEW_PRIVILEGES',
    'USERS_MANAGE_ROLES',
    'USERS_MANAGE_APPLICATIONS',
  ],
  scopes: ['USERS_MANAGE_SCOPES'],
  events: ['EVENTLOG_VIEW_ENTERPRISE', 'EVENTLOG_VIEW_ALL'],
  system: ['SYSCONFIG_VIEW', 'SYSCONFIG_ALLOW_MODIFY'],
} as const satisfies Record<string, readonly Privilege[]>

export type PrivilegeGroup = keyof typeof privilegeGroups

export const allGroups = Object.keys(privilegeGroups) as PrivilegeGroup[]

/** All privileges, in the order of the groups. */
export const inGroups: readonly Privilege[] = allGroups.flatMap(
  (group): readonly Privilege[] => privilegeGroups[group],
)

/** The privileges added and removed between two sets. */
export function differenceOf(before: readonly Privilege[], after: readonly Privilege[]) {
  return {
    added: inGroups.filter((name) => after.includes(name) && !before.includes(name)),
    removed: inGroups.filter((name) => before.includes(name) && !after.includes(name)),
  }
}

export const fits = (text: string, ...texts: readonly string[]): boolean => {
  const wanted = text.trim().toLowerCase()
  return texts.some((one) => one.toLowerCase().includes(wanted))
}
