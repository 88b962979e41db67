import type { AskedCall } from '#lib/request/access/access.queries'

/** The resource of a question about access. */
export type AskedResource =
  | { kind: 'scope' | 'enterprise' | 'datacenter'; id: number }
  | { kind: 'natnetwork'; datacenter: number; id: number }
  | { kind: 'virtualdatacenter'; id: number }
  | { kind: 'virtualmachine'; center: number; appliance: number; id: number }

const general = {
  listScopes: ['GET', '/api/admin/scopes'],
  createScope: ['POST', '/api/admin/scopes'],
  listEnterprises: ['GET', '/api/admin/enterprises'],
  createEnterprise: ['POST', '/api/admin/enterprises'],
  listDatacenters: ['GET', '/api/admin/datacenters'],
  createDatacenter: ['POST', '/api/admin/datacenters'],
  listRoles: ['GET', '/api/admin/roles'],
  createRole: ['POST', '/api/admin/roles'],
  listCenters: ['GET', '/api/cloud/virtualdatacenters'],
  createCenter: ['POST', '/api/cloud/virtualdatacenters'],
  listEvents: ['GET', '/api/events'],
  seeSettings: ['GET', '/api/config/signin'],
} as const

/** Below the path of the resource. */
const itself = { see: ['GET', ''], change: ['PUT', ''], remove: ['DELETE', ''] } as const
const ofThing = {
  scope: itself,
  enterprise: { ...itself, seeUsers: ['GET', '/users'], createUser: ['POST', '/users'] },
  datacenter: {
    ...itself,
    seeNetworks: ['GET', '/natnetworks'],
    createNetwork: ['POST', '/natnetworks'],
    seeIps: ['GET', '/natnetworks/action/allips'],
    seeRules: ['GET', '/natnetworks/action/allrules'],
    createDevice: ['POST', '/devices'],
  },
  natnetwork: {
    ...itself,
    seeIps: ['GET', '/ips'],
    addIps: ['POST', '/ips'],
    seeRules: ['GET', '/rules'],
  },
  virtualdatacenter: {
    ...itself,
    seeIps: ['GET', '/natips'],
    createAppliance: ['POST', '/virtualappliances'],
  },
  virtualmachine: { ...itself, seeRules: ['GET', '/natrules'], createRule: ['POST', '/natrules'] },
} as const

type Keys<T> = T extends unknown ? keyof T : never
export type OperationId = keyof typeof general | Keys<(typeof ofThing)[AskedResource['kind']]>

function pathOf(thing: AskedResource): string {
  const { kind, id } = thing
  if (kind === 'natnetwork') return `/api/admin/datacenters/${thing.datacenter}/natnetworks/${id}`
  if (kind === 'virtualdatacenter') return `/api/cloud/virtualdatacenters/${id}`
  if (kind === 'virtualmachine')
    return `/api/cloud/virtualdatacenters/${thing.center}/virtualappliances/${thing.appliance}/virtualmachines/${id}`
  return `/api/admin/${kind}s/${id}`
}

/** The operations on a resource; without a resource, the operations that need none. */
export function operationsOn(thing: AskedResource | undefined): { id: OperationId; call: AskedCall }[] {
  const base = thing ? pathOf(thing) : ''
  const operations = Object.entries(thing ? ofThing[thing.kind] : general)
  return operations.map(([id, [method, below]]) => ({
    id: id as OperationId,
    call: {
      method,
      // Devices are below the location of the datacenter.
      path: below === '/devices' ? `/api/cloud/locations/${thing?.id}/devices` : `${base}${below}`,
    },
  }))
}

const screens: [RegExp, (ids: number[]) => AskedResource][] = [
  [/^\/scopes\/(\d+)$/, ([id = 0]) => ({ kind: 'scope', id })],
  [/^\/enterprises\/(\d+)$/, ([id = 0]) => ({ kind: 'enterprise', id })],
  [/^\/datacenters\/(\d+)$/, ([id = 0]) => ({ kind: 'datacenter', id })],
  [
    /^\/datacenters\/(\d+)\/natnetworks\/(\d+)$/,
    ([datacenter = 0, id = 0]) => ({ kind: 'natnetwork', datacenter, id }),
  ],
  [/^\/virtualdatacenters\/(\d+)$/, ([id = 0]) => ({ kind: 'virtualdatacenter', id })],
  [
    /^\/virtualdatacenters\/(\d+)\/virtualappliances\/(\d+)\/virtualmachines\/(\d+)$/,
    ([center = 0, appliance = 0, id = 0]) => ({ kind: 'virtualmachine', center, appliance, id }),
  ],
]

/** The resource that the screen at this address shows. */
export function thingAt(address: string): AskedResource | undefined {
  for (const [pattern, thingOf] of screens) {
    const match = pattern.exec(address)
    if (match) return thingOf(match.slice(1).map(Number))
  }
  return undefined
}
