import type { QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { api } from '#lib/client/api'
import type { Once } from '#lib/client/once'
import {
  collectionQuery,
  ifMatch,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  type Tagged,
  useChange,
} from '#lib/client/resources.queries'
import { centerPath, centersPath, newCenterBody } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import type { ChosenLink, VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { PrivateIpDocument } from '#lib/cloud/machines/private-ips.schema'
import { appliancesPath } from '#lib/cloud/machines/virtual-appliances.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { type Collection, linkOf, type Named } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, userPath } from '#lib/people/identity/users.queries'

/** Machines come with their private IPs as links `nic0`, `nic1`, … */
export const virtualMachinePickerQuery = (center: number, appliance: number, has: string) =>
  pickerQuery<VirtualMachineDocument>(machinesPath(center, appliance), has)

export const allMachinesPath = '/api/cloud/virtualmachines'

/** The virtual machines of all virtual datacenters, with the filters of `allMachinesQuery` of the API. */
export const virtualMachinesQuery = (query: Query) =>
  collectionQuery<VirtualMachineDocument>(allMachinesPath, query)

/** The machines of all virtual datacenters. */
export const allMachinesPickerQuery = (has: string) =>
  pickerQuery<VirtualMachineDocument>(allMachinesPath, has)

export const machinesQuery = (center: number, appliance: number, query?: Query) =>
  collectionQuery<VirtualMachineDocument>(machinesPath(center, appliance), query)

export const machinesPath = (center: number, appliance: number): string =>
  `${appliancesPath(center)}/${appliance}/virtualmachines`

export const machinePath = (center: number, appliance: number, machine: number): string =>
  `${machinesPath(center, appliance)}/${machine}`

export const machineRulesQuery = (path: string, query: Query) =>
  collectionQuery<NatRuleDocument>(`${path}/natrules`, query)

export const privateIpsQuery = (center: number, query?: Query) =>
  collectionQuery<PrivateIpDocument>(`${centerPath(center)}/privateips`, query)

export const privateIpPickerQuery = (center: number, has: string) =>
  pickerQuery<PrivateIpDocument>(`${centerPath(center)}/privateips`, has, { by: 'ip' })

const machinesChanged = (client: QueryClient, center: number, gone?: string) =>
  invalidateBelow(client, [centerPath(center), allMachinesPath], gone)

type MachineChange = Pick<VirtualMachineDocument, 'name' | 'label' | 'state' | keyof Noted> & {
  user: ChosenLink | undefined
  virtualmachinetemplate: ChosenLink | undefined
  privateips: readonly ChosenLink[]
}

const chosen = /^(user|virtualmachinetemplate|nic\d+)$/

/** The rules and the other links are sent back as they are: without them the API would remove the rules. */
export function machineBody(
  document: VirtualMachineDocument,
  { user, virtualmachinetemplate, privateips, ...fields }: MachineChange,
) {
  const nics = new Map(
    document.links.flatMap(({ rel, href }) => (rel.startsWith('nic') ? [[href, rel]] : [])),
  )
  const linked = (rel: string, one: ChosenLink | undefined) => (one ? [{ rel, href: one.id }] : [])
  return {
    ...document,
    ...fields,
    links: [
      ...document.links.filter(({ rel }) => !chosen.test(rel)),
      ...linked('user', user),
      ...linked('virtualmachinetemplate', virtualmachinetemplate),
      // A new one takes the lowest free number.
      ...privateips.map(({ id }) => ({ rel: nics.get(id) ?? 'nic', href: id })),
    ],
  }
}

export const useChangeMachine = (center: number, path: string) =>
  useChange(
    ({ draft, current }: { draft: MachineChange; current: Tagged<VirtualMachineDocument> }) =>
      api<VirtualMachineDocument>(path, {
        method: 'PUT',
        body: machineBody(current.document, draft),
        headers: ifMatch(current.etag),
      }),
    (client) => machinesChanged(client, center),
  )

export const useRemoveMachine = (center: number, path: string) =>
  useChange(
    ({ etag }: Tagged<VirtualMachineDocument>) => api(path, { method: 'DELETE', headers: ifMatch(etag) }),
    (client) => machinesChanged(client, center, path),
  )

export const virtualMachineQuery = (path: string) => resourceQuery<VirtualMachineDocument>(path)

/** The virtual machines of a user in all virtual datacenters that the caller sees. */
export const userMachinesQuery = (user: UserDocument, query: Query) =>
  collectionQuery<VirtualMachineDocument>(userMachinesPath(user), query)

export const userMachinesPath = (user: UserDocument): string =>
  `${userPath(enterpriseOfUser(user), user.id)}/action/virtualmachines`

type NewMachine = { name: string; ip: string }

/** The private IP of the last attempt. */
type MadeIp = { current: { ip: string; privateIp: PrivateIpDocument } | undefined }

type MachinePlace = { center: number; appliance: number }

async function createMachine(
  { center, appliance }: MachinePlace,
  { name, ip }: NewMachine,
  { made, once }: { made: MadeIp; once: Once },
): Promise<VirtualMachineDocument> {
  if (made.current?.ip !== ip) {
    const path = `${centerPath(center)}/privateips`
    const sent = { method: 'POST', body: { ip }, once } as const
    made.current = { ip, privateIp: await api<PrivateIpDocument>(path, sent) }
  }
  const href = linkOf(made.current.privateIp, 'self')?.href
  const body = { name, links: [{ rel: 'nic0', href }] }
  return api<VirtualMachineDocument>(machinesPath(center, appliance), { method: 'POST', body, once })
}

/** Creates a private IP and a machine that has it. If only the machine is refused, the next attempt uses the same private IP. */
export function useCreateMachine(center: number, appliance: number) {
  const made = useRef<MadeIp['current']>(undefined)
  return useChange(
    (machine: NewMachine, once) => createMachine({ center, appliance }, machine, { made, once }),
    (client) => machinesChanged(client, center),
  )
}

/** The oldest item of a collection. An empty collection gets a first one. */
async function firstOf(path: string, query: Query, make: () => Promise<{ id: number }>): Promise<number> {
  const { collection } = await api<Collection<{ id: number }>>(path, {
    query: { ...query, by: 'id', limit: 1 },
    meta: undefined,
  })
  return (collection[0] ?? (await make())).id
}

/** The same in the oldest virtual datacenter and appliance that an enterprise has in a datacenter. Missing ones are named after the enterprise. */
export function useRegisterMachine(datacenter: number, { id: enterprise, name }: Named) {
  const made = useRef<MadeIp['current']>(undefined)
  return useChange(
    async (machine: NewMachine, once) => {
      const center = await firstOf(centersPath, { datacenter, enterprise }, () =>
        api(centersPath, { method: 'POST', body: newCenterBody({ name, enterprise, datacenter }), once }),
      )
      const path = appliancesPath(center)
      const appliance = await firstOf(path, {}, () => api(path, { method: 'POST', body: { name }, once }))
      return createMachine({ center, appliance }, machine, { made, once })
    },
    (client) => invalidateBelow(client, [centersPath, allMachinesPath]),
  )
}
