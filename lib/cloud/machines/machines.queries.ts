import { useRef } from 'react'
import { api } from '#lib/client/api'
import {
  collectionQuery,
  invalidateBelow,
  pickerQuery,
  type Query,
  resourceQuery,
  useChange,
} from '#lib/client/resources.queries'
import { centerPath } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { PrivateIpDocument } from '#lib/cloud/machines/private-ips.schema'
import type { VirtualApplianceDocument } from '#lib/cloud/machines/virtual-appliances.schema'
import { linkOf } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, userPath } from '#lib/people/identity/users.queries'

const appliancesPath = (center: number): string => `${centerPath(center)}/virtualappliances`

export const virtualAppliancePickerQuery = (center: number, has: string) =>
  pickerQuery<VirtualApplianceDocument>(appliancesPath(center), has)

/** Machines come with their private IPs as links `nic0`, `nic1`, … */
export const virtualMachinePickerQuery = (center: number, appliance: number, has: string) =>
  pickerQuery<VirtualMachineDocument>(`${appliancesPath(center)}/${appliance}/virtualmachines`, has)

export const virtualMachineQuery = (path: string) => resourceQuery<VirtualMachineDocument>(path)

/** The virtual machines of a user in all virtual datacenters that the caller sees. */
export const userMachinesQuery = (user: UserDocument, query: Query) =>
  collectionQuery<VirtualMachineDocument>(
    `${userPath(enterpriseOfUser(user), user.id)}/action/virtualmachines`,
    query,
  )

export const useCreateAppliance = (center: number) =>
  useChange(
    (name: string, once) =>
      api<VirtualApplianceDocument>(appliancesPath(center), { method: 'POST', body: { name }, once }),
    (client) => invalidateBelow(client, [appliancesPath(center)]),
  )

type NewMachine = { name: string; ip: string }

/** Creates a private IP and a machine that has it. If only the machine is refused, the next attempt uses the same private IP. */
export function useCreateMachine(center: number, appliance: number) {
  const made = useRef<{ ip: string; privateIp: PrivateIpDocument }>(undefined)
  const machinesPath = `${appliancesPath(center)}/${appliance}/virtualmachines`
  return useChange(
    async ({ name, ip }: NewMachine, once) => {
      if (made.current?.ip !== ip) {
        const path = `${centerPath(center)}/privateips`
        const sent = { method: 'POST', body: { ip }, once } as const
        made.current = { ip, privateIp: await api<PrivateIpDocument>(path, sent) }
      }
      const href = linkOf(made.current.privateIp, 'self')?.href
      return api<VirtualMachineDocument>(machinesPath, {
        method: 'POST',
        body: { name, links: [{ rel: 'nic0', href }] },
        once,
      })
    },
    (client) => invalidateBelow(client, [machinesPath]),
  )
}
