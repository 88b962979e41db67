import type { Change, ReadContext, Referring } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import type { VirtualMachineDocument, VirtualMachineInput } from '#lib/cloud/machines/machines.schema'
import {
  insertVirtualMachine,
  type Machine,
  machineNotes,
  showMachine,
} from '#lib/cloud/machines/machines.server'
import { attachNics, detachNics, nicReferences } from '#lib/cloud/machines/nics.server'
import { findUsableTemplate } from '#lib/cloud/machines/templates.server'
import type { VirtualAppliance } from '#lib/cloud/machines/virtual-appliances.server'
import {
  removeRulesOfMachine,
  replaceMachineRules,
  rulesOfMachines,
} from '#lib/cloud/nat/machine-rules.server'
import { keepsSettings } from '#lib/cloud/nat/rule-settings.server'
import type { NatRuleDocument, NatRuleInput } from '#lib/cloud/nat/rules.schema'
import { fold } from '#lib/db/fold'
import { ApiError, about, gather } from '#lib/ground/http/errors'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { findUser } from '#lib/people/identity/users.server'

/** The place of a current or future machine, and its template. */
type MachinePlace = {
  virtual_datacenter_id: number
  enterprise_id: number
  datacenter_id: number
  template_id?: number | null
}

async function referencesAt(
  context: ReadContext,
  place: MachinePlace,
  links: VirtualMachineInput['links'] | undefined,
) {
  const { user, virtualmachinetemplate: template, nic } = links ?? {}
  const library = { enterprise: place.enterprise_id, datacenter: place.datacenter_id }
  const isUnchanged = template === undefined || template === place.template_id
  const [, , nics] = await gather(
    user === undefined ? Promise.resolve() : about('user', findUser(context, { enterprise: ANY_ID, user })),
    isUnchanged
      ? Promise.resolve()
      : about('virtualmachinetemplate', findUsableTemplate(context.db, library, template)),
    about('nic', nicReferences(context, place.virtual_datacenter_id, nic)),
  )
  return { user, template, nics }
}

const placeIn = ({ center: { id, enterprise_id, datacenter_id } }: VirtualAppliance): MachinePlace => ({
  virtual_datacenter_id: id,
  enterprise_id,
  datacenter_id,
})

/** The user, template and private IPs of a new machine. Throws USER-0, TEMPLATE-0, PRIVATEIP-0, GEN-6. */
export const newMachineReferences = async (
  { found, ...context }: ReadContext & { found: VirtualAppliance },
  { links }: Partial<VirtualMachineInput>,
) => referencesAt(context, placeIn(found), links)

export const machineReferences = async (
  { found, ...context }: ReadContext & { found: Machine },
  { links }: Partial<VirtualMachineInput>,
) => referencesAt(context, found, links)

type Rule = Pick<NatRuleDocument | NatRuleInput, 'snat' | 'protocol' | 'originalPort' | 'translatedPort'>

const ruleKey = (rule: Rule, original: number | undefined, translated: number | undefined): string =>
  [rule.snat, rule.protocol, rule.originalPort, rule.translatedPort, original, translated].join()

const sentKey = (rule: NatRuleInput): string =>
  ruleKey(rule, rule.links.original?.id, rule.links.translated?.id)

const presentKey = (rule: NatRuleDocument): string =>
  ruleKey(rule, idOfLink(linkOf(rule, 'original')), idOfLink(linkOf(rule, 'translated')))

/**
 * Changing a machine's rules needs VAPP_CUSTOMISE_SETTINGS. Sending them back unchanged does not (docs/api/nat-rules.md, "NAT rules"). This check
 * comes first, so that a refusal reveals nothing about the resources in the rules.
 */
function requireMayChange({ caller }: ReadContext, before: NatRuleDocument[], sent: NatRuleInput[]): void {
  if (can(caller, ['VAPP_CUSTOMISE_SETTINGS'])) return
  const present = new Map(before.map((rule) => [presentKey(rule), rule]))
  const keys = new Set(sent.map(sentKey))
  const same =
    before.length === sent.length &&
    keys.size === sent.length &&
    sent.every((rule) => {
      const stored = present.get(sentKey(rule))
      return stored && keepsSettings(stored, rule)
    })
  if (!same) throw new ApiError('403-FORBIDDEN')
}

/** Without a user link the machine belongs to the caller. */
export async function createMachine({
  found: appliance,
  body,
  references: { user, template, nics },
  ...context
}: Change<VirtualAppliance, VirtualMachineInput> &
  Referring<typeof newMachineReferences>): Promise<VirtualMachineDocument> {
  const { caller, db } = context
  requireMayChange(context, [], body.natrules)
  const place = placeIn(appliance)
  const id = await insertVirtualMachine(db, {
    ...body,
    virtualApplianceId: appliance.id,
    virtualDatacenterId: place.virtual_datacenter_id,
    enterpriseId: place.enterprise_id,
    userId: user ?? caller.id,
    templateId: template,
  })
  await about('nic', attachNics(db, id, nics))
  const { virtual_datacenter_id } = place
  await replaceMachineRules(context, { id, virtual_datacenter_id }, body.natrules)
  return showMachine({ id }, context)
}

/** Without a user link the user stays, because the caller may not see that user. */
export async function updateMachine({
  found: machine,
  body,
  references: { user, template, nics },
  ...context
}: Change<Machine, VirtualMachineInput> & Referring<typeof machineReferences>): Promise<void> {
  const rules = await rulesOfMachines(context, [machine.id])
  requireMayChange(context, rules.get(machine.id) ?? [], body.natrules)
  await context.db
    .updateTable('virtual_machines')
    .set({
      name: body.name,
      name_key: fold(body.name),
      label: body.label ?? body.name,
      state: body.state,
      ...machineNotes.written(body),
      user_id: user ?? machine.user_id,
      template_id: template ?? null,
    })
    .where('id', '=', machine.id)
    .execute()
  await about('nic', attachNics(context.db, machine.id, nics))
  await replaceMachineRules(context, machine, body.natrules)
}

/** Removes the machine's NAT rules too, and frees its private IPs. */
export async function removeMachine({ db, found: { id } }: Change<Machine>): Promise<void> {
  await removeRulesOfMachine(db, id)
  await detachNics(db, id)
  await db.deleteFrom('virtual_machines').where('id', '=', id).execute()
}
