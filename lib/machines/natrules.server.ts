import type { ReadContext, WriteContext } from '#lib/auth/context.server'
import { ApiError } from '#lib/http/errors'
import type { Listing } from '#lib/http/render.server'
import { findMachine, type MachinePath, machinePath } from '#lib/machines/machines.server'
import { addMachineRule, deleteRules } from '#lib/nat/machine-rules.server'
import type { NatRuleDocument, NatRuleInput, RuleQuery } from '#lib/nat/rules.schema'
import { listRulesOf, ruleViews } from '#lib/nat/rules.server'

/* The rules of a machine, one by one. */

export async function listMachineRules(
  asked: ReadContext,
  path: MachinePath,
  query: RuleQuery,
): Promise<Listing> {
  const machine = await findMachine(asked, path)
  return listRulesOf(asked, machine.id, query, `${machinePath(machine)}/natrules`)
}

type RulePath = MachinePath & { natrule: number }

/** Throws NAT-RULE-0. */
async function findRule(asked: ReadContext, path: RulePath) {
  const machine = await findMachine(asked, path)
  const rule = await asked.db
    .selectFrom('nat_rules')
    .where('id', '=', path.natrule)
    .where('virtual_machine_id', '=', machine.id)
    .select(['id', 'nat_network_id', 'ip_key', 'snat'])
    .executeTakeFirst()
  if (!rule) throw new ApiError('NAT-RULE-0')
  return rule
}

async function ruleDocument(asked: ReadContext, id: number): Promise<NatRuleDocument> {
  const [view] = await ruleViews(asked, [{ id }])
  if (!view) throw new ApiError('NAT-RULE-0')
  return view
}

export const readMachineRule = async (asked: ReadContext & { params: RulePath }): Promise<NatRuleDocument> =>
  ruleDocument(asked, (await findRule(asked, asked.params)).id)

export async function createMachineRule({
  caller,
  db,
  params,
  body,
}: WriteContext & { params: MachinePath; body: NatRuleInput }): Promise<NatRuleDocument> {
  const machine = await findMachine({ caller, db }, params)
  return ruleDocument({ caller, db }, await addMachineRule({ caller, db }, machine, body))
}

export async function removeMachineRule({
  caller,
  db,
  params,
}: WriteContext & { params: RulePath }): Promise<void> {
  const { id, nat_network_id, ip_key, snat } = await findRule({ caller, db }, params)
  await deleteRules(db, [{ id, network: nat_network_id, ip_key, snat: snat === 1 }])
}
