import { kinds } from '#lib/caller/kinds/kinds'

/* The kinds of resources that have wishes, parents first: with kinds.natrule, which is no resource of its own, this is all of them. */

export const people = [kinds.scope, kinds.enterprise, kinds.role, kinds.user] as const

export const cloud = [
  kinds.datacenter,
  kinds.device,
  kinds.virtualmachinetemplate,
  kinds.virtualdatacenter,
  kinds.virtualappliance,
  kinds.privateip,
  kinds.virtualmachine,
] as const

export const nat = [kinds.natnetwork, kinds.natip, kinds.natsetaside] as const
