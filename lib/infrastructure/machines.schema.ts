import { z } from 'zod'
import { linksOf, text } from '#lib/http/input.schema'
import { pageQuery } from '#lib/http/paging'
import { links } from '#lib/http/view'
import { natRuleDocument, natRuleInput } from '#lib/nat/rules.schema'

/** What an inventory says of a machine; nothing here starts or stops one. */
const machineStates = [
  'NOT_ALLOCATED',
  'ALLOCATED',
  'CONFIGURED',
  'ON',
  'PAUSED',
  'OFF',
  'LOCKED',
  'UNKNOWN',
] as const
export type MachineState = (typeof machineStates)[number]

export const virtualMachineDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  label: z.string(),
  state: z.enum(machineStates),
  natrules: z.array(natRuleDocument),
})
export type VirtualMachineDocument = z.infer<typeof virtualMachineDocument>

/**
 * What POST and PUT of a machine take. Links `nic0`, `nic1`, … attach private IPs; those that are missing stay (settled,
 * point 34), so does the user. Without a template link it has none, without rules none (settled, point 8).
 */
export const virtualMachineInput = z.object({
  name: text(1, 128),
  /** Without one the name. */
  label: text(0, 128).optional(),
  state: z.enum(machineStates).default('ON'),
  /** All the rules of the machine; none where the field is missing (settled, point 8). */
  natrules: z.array(natRuleInput).default([]),
  links: linksOf(
    {
      user: { path: '/admin/enterprises/:enterprise/users/:id' },
      virtualmachinetemplate: {
        path: '/admin/enterprises/:enterprise/datacenterrepositories/:datacenter/virtualmachinetemplates/:id',
      },
    },
    { nic: { path: '/cloud/virtualdatacenters/:virtualdatacenter/privateips/:id' } },
  ),
})
export type VirtualMachineInput = z.infer<typeof virtualMachineInput>

export const virtualMachineOrders = ['name', 'id'] as const

export const allMachinesQuery = pageQuery(...virtualMachineOrders).extend({
  vmlabel: z
    .string()
    .max(128, 'vmlabel is too long')
    .optional()
    .meta({ description: 'Only those of exactly this label' }),
})
export type AllMachinesQuery = z.infer<typeof allMachinesQuery>
