import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { natRuleDocument, natRuleInput } from '#lib/cloud/nat/rules.schema'
import { shown } from '#lib/ground/http/fields.schema'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { changed, nameQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { links } from '#lib/ground/http/view'

/** The state according to the inventory. The product does not start or stop machines. */
export const machineStates = [
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
  ...shown(noted),
  natrules: z.array(natRuleDocument),
})
export type VirtualMachineDocument = z.infer<typeof virtualMachineDocument>

/** A resource that a form names: its address and name. */
export type ChosenLink = { id: string; name: string }

/** What people call the machine. */
export const nameOfMachine = ({ name, label }: Pick<VirtualMachineDocument, 'name' | 'label'>): string =>
  label || name

/**
 * Body of POST and PUT. Links `nic0`, `nic1`, … attach private IPs. Missing `nic` and user links leave the current ones. A missing
 * template link or list of rules removes them (docs/api/machines.md, "Appliances and virtual machines").
 */
export const virtualMachineInput = z.object({
  name: text(1, 128),
  /** By default the name. */
  label: text(0, 128).optional(),
  state: z.enum(machineStates).default('ON'),
  ...noted,
  /** All rules of the machine. A missing field means none (docs/api/conventions.md, "Values"). */
  natrules: z.array(natRuleInput).default([]),
  links: linksOf(
    {
      user: { path: patternOf(kinds.user) },
      virtualmachinetemplate: {
        path: patternOf(kinds.virtualmachinetemplate),
      },
    },
    { nic: { path: patternOf(kinds.privateip) } },
  ),
})
export type VirtualMachineInput = z.infer<typeof virtualMachineInput>

export const allMachinesQuery = nameQuery.extend({
  enterprise: queryId('enterprise').optional().meta({ description: 'Only machines of this enterprise' }),
  datacenter: queryId('datacenter').optional().meta({ description: 'Only machines in this datacenter' }),
  virtualdatacenter: queryId('virtualdatacenter')
    .optional()
    .meta({ description: 'Only machines of this virtual datacenter' }),
  user: queryId('user').optional().meta({ description: 'Only machines of this user' }),
  state: z
    .enum(machineStates, `state must be one of ${machineStates.join(', ')}`)
    .optional()
    .meta({ description: 'Only machines in this state' }),
  vmlabel: z
    .string()
    .max(128, 'vmlabel is too long')
    .optional()
    .meta({ description: 'Only machines with exactly this label' }),
  changed,
  tag,
})
export type AllMachinesQuery = z.infer<typeof allMachinesQuery>
