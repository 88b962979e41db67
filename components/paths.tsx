type Id = number | string

const withQuery = (path: string, query: Record<string, Id | undefined>): string => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

const datacenter = (dc: Id): string => `/datacenters/${dc}`

/** Every address of the console. */
export const paths = {
  home: () => '/',
  signIn: (returnTo?: string) => withQuery('/sign-in', { returnTo }),
  forgotPassword: () => '/forgot-password',
  account: () => '/account',
  password: () => '/account/password',
  application: (id: Id) => `/account/applications/${id}`,
  newApplication: () => '/account/applications/new',
  twoFactor: () => '/account/two-factor',
  apiReference: () => '/api-reference',
  settings: () => '/settings',
  scopes: () => '/scopes',
  scope: (id: Id) => `/scopes/${id}`,
  newScope: (parent?: Id) => withQuery('/scopes/new', { parent }),
  editScope: (id: Id) => `/scopes/${id}/edit`,
  datacenters: () => '/datacenters',
  datacenter,
  natNetworks: (dc: Id) => `${datacenter(dc)}/natnetworks`,
  newNatNetwork: (dc: Id) => `${datacenter(dc)}/natnetworks/new`,
  natNetwork: (dc: Id, network: Id, tab?: 'ips' | 'rules') =>
    withQuery(`${datacenter(dc)}/natnetworks/${network}`, { tab }),
  editNatNetwork: (dc: Id, network: Id) => `${datacenter(dc)}/natnetworks/${network}/edit`,
  natIps: (dc: Id) => `${datacenter(dc)}/natips`,
  natRules: (dc: Id) => `${datacenter(dc)}/natrules`,
}
