import { matchPath } from 'react-router'
import { holds, useSession } from '#components/session/session'
import type { SessionDocument } from '#lib/auth/session.schema'
import type { LinkDocument } from '#lib/http/view'
import { paths } from './paths'
import { screens } from './routes'

type Ids = Readonly<Record<string, string | undefined>>

/** What shows a thing, by the thing's address below the API. */
const shownBy: readonly [address: string, screen: (ids: Ids, name: string) => string][] = [
  ['/admin/scopes/:id', ({ id = '' }) => paths.scope(id)],
  ['/admin/roles/:id', ({ id = '' }) => paths.role(id)],
  ['/admin/enterprises/:id', ({ id = '' }) => paths.enterprise(id)],
  ['/admin/enterprises/:enterprise/users/:id', ({ enterprise = '', id = '' }) => paths.user(enterprise, id)],
  ['/admin/datacenters/:id', ({ id = '' }) => paths.datacenter(id)],
  [
    '/admin/datacenters/:datacenter/natnetworks/:id',
    ({ datacenter = '', id = '' }) => paths.natNetwork(datacenter, id),
  ],
  [
    '/admin/datacenters/:datacenter/natnetworks/:network/ips/:id',
    ({ datacenter = '', network = '', id }) =>
      `${paths.natNetwork(datacenter, network, 'ips')}&open=${network}-${id}`,
  ],
  [
    '/cloud/locations/:datacenter/devices/:id',
    ({ datacenter = '' }, name) =>
      `${paths.datacenter(datacenter)}?${new URLSearchParams({ tab: 'devices', 'devices.has': name })}`,
  ],
]

/** The screen that shows what the link leads to, if there is one. */
export function screenOf({ href, title = '' }: LinkDocument): string | undefined {
  const { pathname } = new URL(href, 'http://api')
  const address = pathname.slice(pathname.indexOf('/api/') + '/api'.length)
  for (const [pattern, screen] of shownBy) {
    const match = matchPath(pattern, address)
    if (match) return screen(match.params, title)
  }
  return undefined
}

/** Whether there is a screen at this address that the user may open. */
export function mayOpen(session: SessionDocument, address: string): boolean {
  const path = address.split('?', 1)[0] ?? ''
  const { needs } = screens.find((screen) => matchPath(screen.path, path)) ?? { needs: [] }
  return needs === undefined || holds(session, needs)
}

/** The same for this user: undefined where they may not open the screen. */
export function useScreenOf(): (link: LinkDocument | undefined) => string | undefined {
  const session = useSession()
  return (link) => {
    const screen = link && screenOf(link)
    return screen !== undefined && mayOpen(session, screen) ? screen : undefined
  }
}
