import { matchPath } from 'react-router'
import { hasPast } from '#components/base/screens/screens'
import type { EntityType } from '#lib/record/events/events.schema'

/** What a screen shows: all resources of a kind, or one, which has a path of the API. */
export type Subject = { entity: EntityType; entityid?: number; path?: string }

/** The kinds of lists and single screens. The parameter that ends the address of a single screen is its id. */
const subjects: readonly [screen: string, entity: EntityType][] = [
  ['/scopes', 'scope'],
  ['/scopes/map', 'scope'],
  ['/scopes/:id', 'scope'],
  ['/enterprises', 'enterprise'],
  ['/enterprises/:id', 'enterprise'],
  ['/users', 'user'],
  ['/enterprises/:enterprise/users/:id', 'user'],
  ['/roles', 'role'],
  ['/roles/:id', 'role'],
  ['/nat/networks', 'natnetwork'],
  ['/nat/ips', 'natip'],
  ['/nat/rules', 'natrule'],
  ['/virtualdatacenters', 'virtualdatacenter'],
  ['/virtualdatacenters/:id', 'virtualdatacenter'],
  ['/virtualdatacenters/:center/virtualappliances/:id', 'virtualappliance'],
  ['/virtualdatacenters/:center/virtualappliances/:appliance/virtualmachines/:id', 'virtualmachine'],
  ['/virtualmachines', 'virtualmachine'],
  ['/datacenters', 'datacenter'],
  ['/datacenters/:id', 'datacenter'],
  ['/datacenters/:datacenter/devices/:id', 'device'],
  ['/datacenters/:datacenter/natnetworks', 'natnetwork'],
  ['/datacenters/:datacenter/natnetworks/:id', 'natnetwork'],
  ['/datacenters/:datacenter/natips', 'natip'],
  ['/datacenters/:datacenter/natrules', 'natrule'],
]

/** What the screen at this address shows; undefined: everything, as Home does. */
export function subjectOf(pathname: string): Subject | undefined {
  for (const [screen, entity] of subjects) {
    const match = matchPath(screen, pathname)
    if (!match || !hasPast(pathname)) continue
    const { id } = match.params
    if (id === undefined) return { entity }
    return { entity, entityid: Number(id), path: apiPathOf(pathname, entity) }
  }
  return undefined
}

function apiPathOf(pathname: string, entity: EntityType): string {
  if (entity === 'device') return pathname.replace('/datacenters', '/api/cloud/locations')
  return `/api/${pathname.startsWith('/virtual') ? 'cloud' : 'admin'}${pathname}`
}
