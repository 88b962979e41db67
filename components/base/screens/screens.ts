import { matchPath } from 'react-router'
import type { Privilege } from '#lib/caller/auth/privileges'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import type { LinkDocument } from '#lib/ground/http/view'
import { access } from './access'
import { paths } from './paths'

/** Every screen behind the sign-in, and the privileges of which any one opens it; an empty list: open to everybody. */
export const screens = {
  '/': [],
  '/account': [],
  '/account/profile': [],
  '/account/password': [],
  '/account/applications/new': [],
  '/account/applications/:application': [],
  '/account/tokens/new': [],
  '/account/tokens/:token': [],
  '/consent': [],
  '/account/two-factor': [],
  '/api-reference': [],
  '/help/*': [],
  '/plans/:plan': [],
  '/events': access.events,
  '/settings': access.settings,
  '/settings/webhooks/new': access.manageSettings,
  '/settings/webhooks/:webhook': access.settings,
  '/settings/webhooks/:webhook/edit': access.manageSettings,
  '/scopes': access.scope,
  '/scopes/map': access.scope,
  '/scopes/new': access.manageScopes,
  '/scopes/:scope': access.scope,
  '/scopes/:scope/edit': access.manageScopes,
  '/enterprises': access.enterprises,
  '/enterprises/new': access.manageEnterprises,
  '/enterprises/:enterprise': access.enterprises,
  '/enterprises/:enterprise/edit': access.manageEnterprises,
  '/users': access.users,
  '/users/new': access.manageUsers,
  '/enterprises/:enterprise/users/:user': access.users,
  '/enterprises/:enterprise/users/:user/edit': access.manageUsers,
  '/enterprises/:enterprise/users/:user/tokens/new': access.manageUsers,
  '/enterprises/:enterprise/users/:user/tokens/:token': access.manageUsers,
  '/roles': access.roles,
  '/roles/new': access.manageRoles,
  '/roles/:role': access.roles,
  '/roles/:role/edit': access.manageRoles,
  '/nat/networks': access.natNetworks,
  '/nat/networks/new': access.natNetworks,
  '/nat/ips': access.natAddresses,
  '/nat/addresses/:address': access.addresses,
  '/nat/rules': access.natAddresses,
  '/virtualdatacenters': access.centers,
  '/virtualdatacenters/:virtualdatacenter': access.centers,
  '/virtualdatacenters/:virtualdatacenter/virtualappliances/:virtualappliance': access.machines,
  '/virtualdatacenters/:virtualdatacenter/virtualappliances/:virtualappliance/virtualmachines/:virtualmachine':
    access.machines,
  '/virtualmachines': access.machines,
  '/datacenters': access.datacenters,
  '/datacenters/:datacenter': access.datacenters,
  '/datacenters/:datacenter/devices/:device': access.devices,
  '/datacenters/:datacenter/natnetworks': access.natNetworks,
  '/datacenters/:datacenter/natnetworks/new': access.natNetworks,
  '/datacenters/:datacenter/natnetworks/:natnetwork': access.natNetworks,
  '/datacenters/:datacenter/natnetworks/:natnetwork/edit': access.changeNatNetworks,
  '/datacenters/:datacenter/natips': access.natAddresses,
  '/datacenters/:datacenter/natrules': access.natAddresses,
} as const satisfies Record<string, readonly Privilege[]>

export type ScreenPath = keyof typeof screens

/** The screens that can be seen as they were (docs/concepts.md, "As of a moment"). The help has no data of the cloud. */
const pastScreens: ReadonlySet<string> = new Set<ScreenPath>([
  '/',
  '/help/*',
  '/events',
  '/scopes',
  '/scopes/map',
  '/scopes/:scope',
  '/enterprises',
  '/enterprises/:enterprise',
  '/users',
  '/enterprises/:enterprise/users/:user',
  '/roles',
  '/roles/:role',
  '/nat/networks',
  '/nat/ips',
  '/nat/rules',
  '/virtualdatacenters',
  '/virtualdatacenters/:virtualdatacenter',
  '/virtualdatacenters/:virtualdatacenter/virtualappliances/:virtualappliance',
  '/virtualdatacenters/:virtualdatacenter/virtualappliances/:virtualappliance/virtualmachines/:virtualmachine',
  '/virtualmachines',
  '/datacenters',
  '/datacenters/:datacenter',
  '/datacenters/:datacenter/devices/:device',
  '/datacenters/:datacenter/natnetworks',
  '/datacenters/:datacenter/natnetworks/:natnetwork',
  '/datacenters/:datacenter/natips',
  '/datacenters/:datacenter/natrules',
])

const screenAt = (address: string) =>
  Object.entries(screens).find(([path]) => matchPath(path, address.split('?', 1)[0] ?? ''))

/** The privileges that open the screen at an address; undefined if there is no screen. */
export const privilegesFor = (address: string): readonly Privilege[] | undefined => screenAt(address)?.[1]

/** Whether the screen at an address is about the account of the user, which nobody else sees. */
export const isOwnAccount = (address: string): boolean =>
  /^\/(account|consent)(\/|$)/.test(screenAt(address)?.[0] ?? '')

/** Whether the screen at an address can be seen as it was. */
export const hasPast = (address: string): boolean => pastScreens.has(screenAt(address)?.[0] ?? '')

type Ids = Readonly<Record<string, string | undefined>>

/** The screen that shows a resource, by the resource's path below `/api`. */
const screensOfResources: readonly [address: string, screen: (ids: Ids) => string][] = [
  [patternOf(kinds.scope), ({ id = '' }) => paths.scope(id)],
  [patternOf(kinds.role), ({ id = '' }) => paths.role(id)],
  [patternOf(kinds.enterprise), ({ id = '' }) => paths.enterprise(id)],
  [patternOf(kinds.user), ({ enterprise = '', id = '' }) => paths.user(enterprise, id)],
  [
    patternOf(kinds.accesstoken),
    ({ enterprise = '', user = '', id = '' }) => paths.tokenOf(enterprise, user, id),
  ],
  [patternOf(kinds.datacenter), ({ id = '' }) => paths.datacenter(id)],
  ['/plans/:id', ({ id = '' }) => paths.plan(id)],
  [patternOf(kinds.webhook), ({ id = '' }) => paths.webhook(id)],
  [patternOf(kinds.natnetwork), ({ datacenter = '', id = '' }) => paths.natNetwork(datacenter, id)],
  [
    patternOf(kinds.natip),
    ({ datacenter = '', natnetwork = '', id }) =>
      `${paths.natNetwork(datacenter, natnetwork, 'ips')}&open=${natnetwork}-${id}`,
  ],
  [patternOf(kinds.location), ({ id = '' }) => paths.datacenter(id)],
  [patternOf(kinds.virtualdatacenter), ({ id = '' }) => paths.virtualDatacenter(id)],
  [
    patternOf(kinds.privateip),
    ({ virtualdatacenter = '' }) => paths.virtualDatacenter(virtualdatacenter, 'privateips'),
  ],
  [
    patternOf(kinds.virtualappliance),
    ({ virtualdatacenter = '', id = '' }) => paths.virtualAppliance(virtualdatacenter, id),
  ],
  [
    patternOf(kinds.virtualmachine),
    ({ virtualdatacenter = '', virtualappliance = '', id = '' }) =>
      paths.virtualMachine(virtualdatacenter, virtualappliance, id),
  ],
  [
    patternOf(kinds.natrule),
    ({ virtualdatacenter = '', virtualappliance = '', virtualmachine = '', id }) =>
      `${paths.virtualMachine(virtualdatacenter, virtualappliance, virtualmachine)}?rules.row=${id}`,
  ],
  [patternOf(kinds.device), ({ datacenter = '', id = '' }) => paths.device(datacenter, id)],
]

/** The screen that shows the resource of a link, if there is one. */
export function screenOf({ href }: LinkDocument): string | undefined {
  const { pathname } = new URL(href, 'http://api')
  const address = pathname.slice(pathname.indexOf('/api/') + '/api'.length)
  for (const [pattern, screen] of screensOfResources) {
    const match = matchPath(pattern, address)
    if (match) return screen(match.params)
  }
  return undefined
}
