import type { Change, Listed, ReadContext } from '#lib/caller/auth/context.server'
import {
  findMachine,
  type Machine,
  type MachinePath,
  machinePath,
  machineTarget,
} from '#lib/cloud/machines/machines.server'
import { addMachineRule, changeRule, deleteRules } from '#lib/cloud/nat/machine-rules.server'
import type { NatRuleDocument, NatRuleInput, RuleQuery } from '#lib/cloud/nat/rules.schema'
import { listRulesOf, ruleViews } from '#lib/cloud/nat/rules.server'
import { ApiError } from '#lib/ground/http/errors'

/* The NAT rules of a machine as resources of their own. */

export const listMachineRules = ({ found: machine, query, ...context }: Listed<Machine, RuleQuery>) =>
  listRulesOf(
    context,
    { column: 'nat_rules.virtual_machine_id', id: machine.id, path: `${machinePath(machine)}/natrules` },
    query,
  )

type RulePath = MachinePath & { natrule: number }

/** Throws NAT-RULE-0. */
async function findRule(context: ReadContext, path: RulePath) {
  const machine = await findMachine(context, path)
  return context.db
    .selectFrom('nat_rules')
    .where('id', '=', path.natrule)
    .where('virtual_machine_id', '=', machine.id)
    .select(['id', 'nat_network_id', 'datacenter_id', 'ip_key', 'snat', 'disabled_at'])
    .select('virtual_machine_id')
    .executeTakeFirstOrThrow(() => new ApiError('NAT-RULE-0'))
}

type RuleRow = Awaited<ReturnType<typeof findRule>>

async function showRule({ id }: { id: number }, context: ReadContext): Promise<NatRuleDocument> {
  const [view] = await ruleViews(context, [{ id }])
  if (!view) throw new ApiError('NAT-RULE-0')
  return view
}

export const machineRuleTarget = {
  ids: { ...machineTarget.ids, natrule: 'NAT-RULE-0' },
  find: findRule,
  view: showRule,
} as const

export const createMachineRule = async ({
  found: machine,
  body,
  ...context
}: Change<Machine, NatRuleInput>): Promise<NatRuleDocument> =>
  showRule({ id: await addMachineRule(context, machine, body) }, context)

export const updateMachineRule = ({ found, body, ...context }: Change<RuleRow, NatRuleInput>) =>
  changeRule(context, found, body)

export const removeMachineRule = ({ db, found }: Change<RuleRow>) => deleteRules(db, [found])
