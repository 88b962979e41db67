type Id = number | string

const withQuery = (path: string, query: Record<string, Id | undefined>): string => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

const center = (id: Id): string => `/virtualdatacenters/${id}`

const appliance = (vdc: Id, id: Id): string => `${center(vdc)}/virtualappliances/${id}`

const datacenter = (dc: Id): string => `/datacenters/${dc}`

/** A list of NAT resources, of one datacenter or of all. */
const nat = (list: 'networks' | 'ips' | 'rules', dc: Id | undefined): string =>
  dc === undefined ? `/nat/${list}` : `${datacenter(dc)}/nat${list}`

/** Every address of the console. */
export const paths = {
  home: () => '/',
  /** The first screen, with the dialog that publishes a port. */
  publish: () => '/?do=publish',
  signIn: (returnTo?: string) => withQuery('/sign-in', { returnTo }),
  newPhone: () => '/account?phone=new',
  forgotPassword: () => '/forgot-password',
  account: () => '/account',
  password: () => '/account/password',
  profile: () => '/account/profile',
  application: (id: Id) => `/account/applications/${id}`,
  newApplication: () => '/account/applications/new',
  token: (id: Id) => `/account/tokens/${id}`,
  newToken: () => '/account/tokens/new',
  consent: () => '/consent',
  twoFactor: () => '/account/two-factor',
  apiReference: () => '/api-reference',
  /** `document`: its name, with the anchor of a heading or without. */
  help: (document?: string) => (document ? `/help/${document}` : '/help'),
  plan: (id: Id) => `/plans/${id}`,
  settings: () => '/settings',
  webhooks: () => withQuery('/settings', { tab: 'webhooks' }),
  newWebhook: () => '/settings/webhooks/new',
  webhook: (id: Id) => `/settings/webhooks/${id}`,
  editWebhook: (id: Id) => `/settings/webhooks/${id}/edit`,
  scopes: () => '/scopes',
  scope: (id: Id) => `/scopes/${id}`,
  /** `root`: draws only this scope and what is below it. */
  scopeMap: (root?: Id) => withQuery('/scopes/map', { root }),
  scopeOnMap: (found: Id) => withQuery('/scopes/map', { found }),
  newScope: (parent?: Id) => withQuery('/scopes/new', { parent }),
  editScope: (id: Id) => `/scopes/${id}/edit`,
  enterprises: () => '/enterprises',
  enterprise: (id: Id, tab?: 'users' | 'properties' | 'events') => withQuery(`/enterprises/${id}`, { tab }),
  newEnterprise: () => '/enterprises/new',
  editEnterprise: (id: Id) => `/enterprises/${id}/edit`,
  users: (query: { enterprise?: Id; role?: Id; endsbefore?: string } = {}) => withQuery('/users', query),
  newUser: (enterprise?: Id) => withQuery('/users/new', { enterprise }),
  user: (enterprise: Id, id: Id, tab?: 'tokens') =>
    withQuery(`/enterprises/${enterprise}/users/${id}`, { tab }),
  tokenOf: (enterprise: Id, user: Id, id: Id) => `/enterprises/${enterprise}/users/${user}/tokens/${id}`,
  newTokenOf: (enterprise: Id, user: Id) => `/enterprises/${enterprise}/users/${user}/tokens/new`,
  editUser: (enterprise: Id, id: Id) => `/enterprises/${enterprise}/users/${id}/edit`,
  roles: () => '/roles',
  role: (id: Id) => `/roles/${id}`,
  /** `from`: the role to copy. */
  newRole: (from?: Id) => withQuery('/roles/new', { from }),
  compareRoles: (ids: readonly Id[]) => withQuery('/roles', { tab: 'compare', roles: ids.join() }),
  editRole: (id: Id) => `/roles/${id}/edit`,
  /** `last`: the period that ends now, as an ISO 8601 duration. */
  events: (
    query: { entity?: string; entityid?: Id; user?: Id; event?: Id; last?: string; action?: string } = {},
  ) => withQuery('/events', query),
  datacenters: () => '/datacenters',
  datacenter,
  /** The findings of the check in a datacenter. */
  check: (dc: Id, severity: 'error' | 'warning' | undefined) =>
    withQuery(datacenter(dc), { tab: 'check', 'check.severity': severity }),
  device: (dc: Id, device: Id) => `${datacenter(dc)}/devices/${device}`,
  virtualDatacenters: () => '/virtualdatacenters',
  virtualDatacenter: (id: Id, tab?: 'machines' | 'appliances' | 'ips' | 'privateips' | 'events') =>
    withQuery(center(id), { tab }),
  virtualAppliance: appliance,
  virtualMachines: (query: { user?: Id } = {}) => withQuery('/virtualmachines', query),
  virtualMachine: (vdc: Id, vapp: Id, id: Id) => `${appliance(vdc, vapp)}/virtualmachines/${id}`,
  /** `fillswithin`: only those that are full within so many days. */
  natNetworks: (dc?: Id, query: { fillswithin?: Id } = {}) => withQuery(nat('networks', dc), query),
  newNatNetwork: (dc?: Id) => `${nat('networks', dc)}/new`,
  natNetwork: (dc: Id, network: Id, tab?: 'ips' | 'rules' | 'map' | 'use' | 'events') =>
    withQuery(`${datacenter(dc)}/natnetworks/${network}`, { tab }),
  editNatNetwork: (dc: Id, network: Id) => `${datacenter(dc)}/natnetworks/${network}/edit`,
  /** `at`: the moment of the question who held it (RFC 3339). */
  address: (ip: string, at?: string) => withQuery(`/nat/addresses/${encodeURIComponent(ip)}`, { at }),
  natIps: (dc?: Id, query: { endsbefore?: string } = {}) => withQuery(nat('ips', dc), query),
  /** `row`: the rule that is open beside the list. */
  natRules: (dc?: Id, query: { virtualmachine?: Id; row?: Id; endsbefore?: string } = {}) =>
    withQuery(nat('rules', dc), query),
}
