import { collectionQuery, pickerQuery, type Query } from '#lib/client/resources.queries'
import type { UserDocument } from '#lib/identity/identity.schema'
import { enterpriseOfUser, userPath } from '#lib/identity/users.queries'
import { centerPath } from '#lib/infrastructure/virtual-datacenters.queries'
import type { VirtualMachineDocument } from '#lib/machines/machines.schema'
import type { VirtualApplianceDocument } from '#lib/machines/virtual-appliances.schema'

const appliancesPath = (center: number): string => `${centerPath(center)}/virtualappliances`

export const virtualAppliancePickerQuery = (center: number, has: string) =>
  pickerQuery<VirtualApplianceDocument>(appliancesPath(center), has)

/** Machines come with their private IPs as links `nic0`, `nic1`, … */
export const virtualMachinePickerQuery = (center: number, appliance: number, has: string) =>
  pickerQuery<VirtualMachineDocument>(`${appliancesPath(center)}/${appliance}/virtualmachines`, has)

/** The virtual machines of a user in all virtual datacenters that the caller sees. */
export const userMachinesQuery = (user: UserDocument, query: Query) =>
  collectionQuery<VirtualMachineDocument>(
    `${userPath(enterpriseOfUser(user), user.id)}/action/virtualmachines`,
    query,
  )
