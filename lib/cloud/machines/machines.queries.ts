import type { QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#lib/client/api'
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
import { centerPath } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { PrivateIpDocument } from '#lib/cloud/machines/private-ips.schema'
import { appliancesPath } from '#lib/cloud/machines/virtual-appliances.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, userPath } from '#lib/people/identity/users.queries'

/** Machines come with their private IPs as links `nic0`, `nic1`, … */
export const virtualMachinePickerQuery = (center: number, appliance: number, has: string) =>
  pickerQuery<VirtualMachineDocument>(machinesPath(center, appliance), has)

const allMachinesPath = '/api/cloud/virtualmachines'

/** The virtual machines of all virtual datacenters, with the filters of `allMachinesQuery` of the API. */
export const virtualMachinesQuery = (query: Query) =>
  collectionQuery<VirtualMachineDocument>(allMachinesPath, query)

/** The machines of all virtual datacenters. */
export const allMachinesPickerQuery = (has: string) =>
  pickerQuery<VirtualMachineDocument>(allMachinesPath, has)

export const machinesQuery = (center: number, appliance: number, query?: Query) =>
  collectionQuery<VirtualMachineDocument>(machinesPath(center, appliance), query)

const machinesPath = (center: number, appliance: number): string =>
  `${appliancesPath(center)}/${appliance}/virtualmachines`

export const machinePath = (center: number, appliance: number, machine: number): string =>
  `${machinesPath(center, appliance)}/${machine}`

export const machineRulesQuery = (path: string, query: Query) =>
  collectionQuery<NatRuleDocument>(`${path}/natrules`, query)

export const privateIpsQuery = (center: number, query?: Query) =>
  collectionQuery<PrivateIpDocument>(`${centerPath(center)}/privateips`, query)

const machinesChanged = (client: QueryClient, center: number, gone?: string) =>
  invalidateBelow(client, [centerPath(center), allMachinesPath], gone)

type MachineChange = Pick<VirtualMachineDocument, 'name' | 'label' | 'state'>

/** The rules and links are sent back as they are: without them the API would remove the rules and the template. */
export const useChangeMachine = (center: number, path: string) =>
  useChange(
    ({ draft, current }: { draft: MachineChange; current: Tagged<VirtualMachineDocument> }) =>
      api<VirtualMachineDocument>(path, {
        method: 'PUT',
        body: { ...current.document, ...draft },
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
  collectionQuery<VirtualMachineDocument>(
    `${userPath(enterpriseOfUser(user), user.id)}/action/virtualmachines`,
    query,
  )

type NewMachine = { name: string; ip: string }

/** Creates a private IP and a machine that has it. If only the machine is refused, the next attempt uses the same private IP. */
export function useCreateMachine(center: number, appliance: number) {
  const made = useRef<{ ip: string; privateIp: PrivateIpDocument }>(undefined)
  return useChange(
    async ({ name, ip }: NewMachine, once) => {
      if (made.current?.ip !== ip) {
        const path = `${centerPath(center)}/privateips`
        const sent = { method: 'POST', body: { ip }, once } as const
        made.current = { ip, privateIp: await api<PrivateIpDocument>(path, sent) }
      }
      const href = linkOf(made.current.privateIp, 'self')?.href
      return api<VirtualMachineDocument>(machinesPath(center, appliance), {
        method: 'POST',
        body: { name, links: [{ rel: 'nic0', href }] },
        once,
      })
    },
    (client) => machinesChanged(client, center),
  )
}
