import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { faultsOf, sentBy, useWord } from '#components/base/forms/declared-form'
import { Dialog } from '#components/base/forms/dialog'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { useMay } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Columns, Stack } from '#components/kit/layout'
import { Radio } from '#components/kit/radio'
import { Select } from '#components/kit/select'
import { virtualMachinePickerQuery } from '#lib/cloud/machines/machines.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { virtualAppliancePickerQuery } from '#lib/cloud/machines/virtual-appliances.queries'
import { attachedNatIpPickerQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { useCreateNatRule } from '#lib/cloud/nat/rules.queries'
import { type NatRuleDocument, natProtocols } from '#lib/cloud/nat/rules.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { InDatacenter } from './datacenter-field'
import styles from './nat.module.css'
import { reachOf } from './reach'
import { Reached } from './reached'
import { ResourcePicker, VirtualDatacenterPicker } from './resource-picker'
import {
  checkRule,
  draftEnds,
  emptyRule,
  machineOf,
  type Named,
  overlapsOf,
  type RuleDraft,
  type RuleField,
  ruleNames,
  ruleOf,
  withMachine,
} from './rule-draft'
import { ruleName } from './rule-ends'
import { MoreOfRule, moreOfRule } from './rule-more'
import { AttachIp, NewAppliance, NewCenter, NewMachine } from './rule-parts'
import { PortField, SourcesField } from './rule-settings'
import { useTakenPorts } from './taken-ports'
import { Ends, Translation } from './translation'

type NewRuleProps = {
  /** If absent, the user chooses one. */
  datacenter: number | undefined
  onClose: () => void
}

/** The dialog that creates a NAT rule at a virtual machine. It ends with what the gateway counts, if one reports for the device. */
export function NewRule({ datacenter, onClose }: NewRuleProps) {
  const [made, setMade] = useState<NatRuleDocument>()
  if (made) return <NewRuleReached rule={made} onClose={onClose} />
  return (
    <RuleForm
      datacenter={datacenter}
      onMade={(rule) => (reachOf(rule) === 'unknown' ? onClose() : setMade(rule))}
      onClose={onClose}
    />
  )
}

function NewRuleReached({ rule, onClose }: { rule: NatRuleDocument; onClose: () => void }) {
  const say = useTranslations('nat.reached')
  const sayCommon = useTranslations('common')
  return (
    <Dialog
      header={say('title')}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
    >
      <Stack gap="l">
        <Translation rule={rule} />
        <Reached rule={rule} />
      </Stack>
    </Dialog>
  )
}

function RuleForm({
  datacenter,
  onMade,
  onClose,
}: NewRuleProps & { onMade: (rule: NatRuleDocument) => void }) {
  const say = useTranslations('nat.rule')
  const form = useRuleForm(datacenter, onMade)
  const { draft, errors, change } = form
  return (
    <ResourceDialog
      header={say('title')}
      size="large"
      form={form}
      label={say('create')}
      busyLabel={say('creating')}
      onClose={onClose}
    >
      <InDatacenter
        given={datacenter}
        value={draft.datacenter}
        error={errors.datacenter}
        // A selection from another datacenter is cleared.
        onChange={(datacenter) => change({ ...noPlace, datacenter })}
      >
        {(chosen) => (
          <Stack gap="l">
            <MachineFields datacenter={chosen} form={form} />
            <TranslationFields datacenter={chosen} form={form} />
            <Preview form={form} />
            <MoreOfRule form={form} />
          </Stack>
        )}
      </InDatacenter>
    </ResourceDialog>
  )
}

const noPlace = {
  center: undefined,
  appliance: undefined,
  machine: undefined,
  privateIp: undefined,
  natIp: undefined,
}

function Preview({ form }: FieldsProps) {
  const say = useTranslations('nat.rule')
  const { original, translated } = draftEnds(form.draft)
  return (
    <div className={styles.preview}>
      <Stack gap="s">
        <span>{say('preview')}</span>
        <Ends original={original} translated={translated} unknown="…" />
      </Stack>
    </div>
  )
}

function useRuleForm(datacenter: number | undefined, onMade: (rule: NatRuleDocument) => void) {
  const say = useTranslations('nat.rule')
  const sayRules = useTranslations('nat.rules')
  const label = useTranslations('labels')
  const says = { word: useWord(), sayText: useTranslations('forms.faults') }
  const create = useCreateNatRule(datacenter)
  return useResourceForm<RuleDraft, never, RuleField, NatRuleDocument>({
    first: emptyRule,
    check: (draft) =>
      datacenter === undefined && !draft.datacenter
        ? { datacenter: label('datacenterMissing') }
        : {
            ...faultsOf(says, moreOfRule, draft),
            ...Object.fromEntries(
              Object.entries(checkRule(draft)).map(([field, problem]) => [field, say(problem)]),
            ),
          },
    names: ruleNames,
    save: ({ draft }) => {
      const { machine, rule } = ruleOf(draft)
      return create.mutateAsync({ machine, rule: { ...rule, ...sentBy(moreOfRule, draft) } })
    },
    done: (rule) => say('created', { name: ruleName(sayRules, rule) }),
    onDone: onMade,
  })
}

type FieldsProps = { form: ReturnType<typeof useRuleForm> }

const optionOf = ({ id, name }: Named) => ({ id, name })

/** The machine of the rule, chosen by its virtual datacenter and its appliance. */
function MachineFields({ datacenter, form }: FieldsProps & { datacenter: number }) {
  const say = useTranslations('nat.rule')
  const label = useTranslations('labels')
  const { draft, change, errors } = form
  const { center, appliance, machine } = draft
  const sayNew = useTranslations('forms.inPlace')
  const mayCenters = useMay('VDC_MANAGE')
  const mayMachines = useMay('VDC_MANAGE_VAPP')
  const none = { machine: undefined, privateIp: undefined }
  const chooseCenter = ({ id, name }: Named) =>
    change({ ...none, center: { id, name }, appliance: undefined, natIp: undefined })
  const chooseAppliance = ({ id, name }: Named) => change({ ...none, appliance: { id, name } })
  const chooseMachine = (item: VirtualMachineDocument) => change(withMachine(machineOf(item)))
  return (
    <Columns count={3}>
      <CreateInPlace
        label={sayNew('center')}
        mayCreate={mayCenters}
        dialog={(onClose) => <NewCenter datacenter={datacenter} onMade={chooseCenter} onClose={onClose} />}
      >
        <VirtualDatacenterPicker
          datacenter={datacenter}
          error={errors.center}
          value={center}
          onChange={chooseCenter}
        />
      </CreateInPlace>
      <CreateInPlace
        label={sayNew('appliance')}
        mayCreate={mayMachines && center !== undefined}
        dialog={(onClose) => (
          <NewAppliance center={center?.id ?? 0} onMade={chooseAppliance} onClose={onClose} />
        )}
      >
        <ResourcePicker
          key={center?.id}
          kind="appliance"
          label={say('appliance')}
          error={errors.appliance}
          disabled={!center}
          value={appliance}
          pages={(has) => virtualAppliancePickerQuery(center?.id ?? 0, has)}
          optionOf={optionOf}
          onChange={chooseAppliance}
        />
      </CreateInPlace>
      <CreateInPlace
        label={sayNew('machine')}
        mayCreate={mayMachines && appliance !== undefined}
        dialog={(onClose) => (
          <NewMachine
            center={center?.id ?? 0}
            appliance={appliance?.id ?? 0}
            onMade={chooseMachine}
            onClose={onClose}
          />
        )}
      >
        <ResourcePicker
          key={appliance?.id}
          kind="machine"
          label={label('virtualmachine')}
          error={errors.machine}
          disabled={!center || !appliance}
          value={machine}
          pages={(has) => virtualMachinePickerQuery(center?.id ?? 0, appliance?.id ?? 0, has)}
          optionOf={optionOf}
          onChange={chooseMachine}
        />
      </CreateInPlace>
    </Columns>
  )
}

function TranslationFields({ datacenter, form }: FieldsProps & { datacenter: number }) {
  const say = useTranslations('nat.rule')
  const label = useTranslations('labels')
  const { draft, change, errors } = form
  const isAsked = !draft.snat && (draft.originalPort !== '' || errors.originalPort !== undefined)
  const taken = useTakenPorts({
    center: draft.center?.id,
    natIp: draft.natIp && idOfLink(draft.natIp),
    overlaps: isAsked ? overlapsOf(draft, draft.protocol) : undefined,
  })
  return (
    <Stack gap="l">
      <Radio
        look="tiles"
        label={label('type')}
        error={errors.snat}
        value={draft.snat ? 'snat' : 'dnat'}
        choices={(['dnat', 'snat'] as const).map((value) => ({
          value,
          text: value.toUpperCase(),
          about: say(`types.${value}`),
        }))}
        onChange={(type) => change({ snat: type === 'snat' })}
      />
      <Columns count={2}>
        <NatIpField datacenter={datacenter} form={form} />
        <PrivateIpField form={form} />
      </Columns>
      {!draft.snat && (
        <Columns count={3}>
          <Radio
            look="row"
            label={label('protocol')}
            error={errors.protocol}
            value={draft.protocol}
            choices={natProtocols.map((value) => ({ value, text: value }))}
            onChange={(protocol) => change({ protocol })}
          />
          <PortField form={form} field="originalPort" taken={taken} />
          <PortField form={form} field="translatedPort" />
        </Columns>
      )}
      {!draft.snat && <SourcesField form={form} />}
    </Stack>
  )
}

/** The NAT IPs of the virtual datacenter. Those in quarantine accept no rules. */
function NatIpField({ datacenter, form: { draft, change, errors } }: FieldsProps & { datacenter: number }) {
  const sayNew = useTranslations('forms.inPlace')
  const mayAttach = useMay('MANAGE_NATIPS')
  const say = useTranslations('nat.rule')
  const label = useTranslations('labels')
  const { center, natIp } = draft
  const hrefOf = (ip: NatIpDocument) => linkOf(ip, 'self')?.href ?? ''
  const choose = (ip: NatIpDocument) => change({ natIp: { href: hrefOf(ip), ip: ip.ip } })
  return (
    <CreateInPlace
      label={sayNew('natIp')}
      mayCreate={mayAttach && center !== undefined}
      dialog={(onClose) => (
        <AttachIp datacenter={datacenter} center={center?.id ?? 0} onMade={choose} onClose={onClose} />
      )}
    >
      <ResourcePicker
        key={center?.id}
        kind="natIp"
        label={say('natIp')}
        error={errors.natIp}
        disabled={!center}
        value={natIp && { id: natIp.href, name: natIp.ip }}
        pages={(has) => attachedNatIpPickerQuery(center?.id ?? 0, has)}
        optionOf={(ip) => ({
          id: hrefOf(ip),
          name: ip.ip,
          about: ip.defaultSnat ? label('defaultSnat') : ip.networkName,
          refused: ip.quarantine ? say('inQuarantine') : undefined,
        })}
        onChange={choose}
      />
    </CreateInPlace>
  )
}

function PrivateIpField({ form: { draft, change, errors } }: FieldsProps) {
  const say = useTranslations('nat.rule')
  const { machine, privateIp } = draft
  const hasNone = machine?.privateIps.length === 0
  return (
    <Select
      label={say('privateIp')}
      error={hasNone ? say('noPrivateIps', { machine: machine.name }) : errors.privateIp}
      value={privateIp?.href}
      options={(machine?.privateIps ?? []).map(({ href, ip }) => ({ value: href, text: ip }))}
      placeholder={say('choosePrivateIp')}
      disabled={!machine || hasNone}
      required
      onChange={(chosen) => change({ privateIp: machine?.privateIps.find(({ href }) => href === chosen) })}
    />
  )
}
