import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { useTranslations } from 'use-intl'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { useMay } from '#components/base/session/session'
import { virtualDatacenterPickerQuery } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { virtualAppliancePickerQuery, virtualMachinePickerQuery } from '#lib/cloud/machines/machines.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { attachedNatIpPickerQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { useCreateNatRule } from '#lib/cloud/nat/rules.queries'
import { type NatRuleDocument, natProtocols } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'
import { InDatacenter } from './datacenter-field'
import styles from './nat.module.css'
import { ResourcePicker } from './resource-picker'
import {
  checkRule,
  draftEnds,
  emptyRule,
  machineOf,
  type Named,
  type RuleDraft,
  type RuleField,
  ruleNames,
  ruleOf,
  withMachine,
} from './rule-draft'
import { ruleName } from './rule-ends'
import { AttachIp, NewAppliance, NewCenter, NewMachine } from './rule-parts'
import { Ends } from './translation'

type NewRuleProps = {
  /** If absent, the user chooses one. */
  datacenter: number | undefined
  onClose: () => void
}

/** The dialog that creates a NAT rule at a virtual machine. */
export function NewRule({ datacenter, onClose }: NewRuleProps) {
  const say = useTranslations('nat.rule')
  const form = useRuleForm(datacenter, onClose)
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
          <SpaceBetween size="l">
            <MachineFields datacenter={chosen} form={form} />
            <TranslationFields datacenter={chosen} form={form} />
            <Preview form={form} />
          </SpaceBetween>
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
      <SpaceBetween size="xs">
        <span>{say('preview')}</span>
        <Ends original={original} translated={translated} unknown="…" />
      </SpaceBetween>
    </div>
  )
}

function useRuleForm(datacenter: number | undefined, onClose: () => void) {
  const say = useTranslations('nat.rule')
  const sayRules = useTranslations('nat.rules')
  const label = useTranslations('labels')
  const create = useCreateNatRule(datacenter)
  return useResourceForm<RuleDraft, never, RuleField, NatRuleDocument>({
    first: emptyRule,
    check: (draft) =>
      datacenter === undefined && !draft.datacenter
        ? { datacenter: label('datacenterMissing') }
        : Object.fromEntries(
            Object.entries(checkRule(draft)).map(([field, problem]) => [field, say(problem)]),
          ),
    names: ruleNames,
    save: ({ draft }) => create.mutateAsync(ruleOf(draft)),
    done: (rule) => say('created', { name: ruleName(sayRules, rule) }),
    onDone: onClose,
  })
}

type FieldsProps = { form: ReturnType<typeof useRuleForm> }

const chosen = (thing: Named | undefined) => thing && { value: String(thing.id), label: thing.name }

const optionOf = ({ id, name }: Named) => ({ value: String(id), label: name })

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
    <ColumnLayout columns={3}>
      <FormField label={label('virtualdatacenter')} errorText={errors.center} stretch>
        <CreateInPlace
          label={sayNew('center')}
          mayCreate={mayCenters}
          dialog={(onClose) => <NewCenter datacenter={datacenter} onMade={chooseCenter} onClose={onClose} />}
        >
          <ResourcePicker
            kind="virtualDatacenter"
            value={chosen(center)}
            pages={(has) => virtualDatacenterPickerQuery(datacenter, has)}
            optionOf={(item) => ({ ...optionOf(item), description: linkOf(item, 'enterprise')?.title ?? '' })}
            onChange={chooseCenter}
          />
        </CreateInPlace>
      </FormField>
      <FormField label={say('appliance')} errorText={errors.appliance} stretch>
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
            disabled={!center}
            value={chosen(appliance)}
            pages={(has) => virtualAppliancePickerQuery(center?.id ?? 0, has)}
            optionOf={optionOf}
            onChange={chooseAppliance}
          />
        </CreateInPlace>
      </FormField>
      <FormField label={label('virtualmachine')} errorText={errors.machine} stretch>
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
            disabled={!center || !appliance}
            value={chosen(machine)}
            pages={(has) => virtualMachinePickerQuery(center?.id ?? 0, appliance?.id ?? 0, has)}
            optionOf={optionOf}
            onChange={chooseMachine}
          />
        </CreateInPlace>
      </FormField>
    </ColumnLayout>
  )
}

function TranslationFields({ datacenter, form }: FieldsProps & { datacenter: number }) {
  const say = useTranslations('nat.rule')
  const label = useTranslations('labels')
  const { draft, change, errors } = form
  return (
    <SpaceBetween size="l">
      <FormField label={label('type')} errorText={errors.snat} stretch>
        <Tiles
          value={draft.snat ? 'snat' : 'dnat'}
          columns={2}
          items={(['dnat', 'snat'] as const).map((value) => ({
            value,
            label: value.toUpperCase(),
            description: say(`types.${value}`),
          }))}
          onChange={({ detail }) => change({ snat: detail.value === 'snat' })}
        />
      </FormField>
      <ColumnLayout columns={2}>
        <NatIpField datacenter={datacenter} form={form} />
        <PrivateIpField form={form} />
      </ColumnLayout>
      {!draft.snat && (
        <ColumnLayout columns={3}>
          <FormField label={label('protocol')} errorText={errors.protocol}>
            <RadioGroup
              value={draft.protocol}
              direction="horizontal"
              items={natProtocols.map((value) => ({ value, label: value }))}
              onChange={({ detail }) => {
                const protocol = natProtocols.find((known) => known === detail.value)
                if (protocol) change({ protocol })
              }}
            />
          </FormField>
          <PortField form={form} field="originalPort" />
          <PortField form={form} field="translatedPort" />
        </ColumnLayout>
      )}
    </SpaceBetween>
  )
}

function PortField({ form, field }: FieldsProps & { field: 'originalPort' | 'translatedPort' }) {
  const say = useTranslations('nat.rule')
  return (
    <TextField
      {...form.field(field)}
      label={say(field)}
      constraintText={say('portsWhat')}
      inputMode="numeric"
      autoComplete={false}
      placeholder={say('allPorts')}
      onChange={(port) => form.change({ [field]: port.trim() })}
    />
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
    <FormField label={say('natIp')} errorText={errors.natIp} stretch>
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
          disabled={!center}
          value={natIp && { value: natIp.href, label: natIp.ip }}
          pages={(has) => attachedNatIpPickerQuery(center?.id ?? 0, has)}
          optionOf={(ip) => ({
            value: hrefOf(ip),
            label: ip.ip,
            labelTag: ip.defaultSnat ? label('defaultSnat') : ip.networkName,
            ...(ip.quarantine && { disabled: true, disabledReason: say('inQuarantine') }),
          })}
          onChange={choose}
        />
      </CreateInPlace>
    </FormField>
  )
}

function PrivateIpField({ form: { draft, change, errors } }: FieldsProps) {
  const say = useTranslations('nat.rule')
  const { machine, privateIp } = draft
  const hasNone = machine?.privateIps.length === 0
  return (
    <FormField
      label={say('privateIp')}
      errorText={hasNone ? say('noPrivateIps', { machine: machine.name }) : errors.privateIp}
      stretch
    >
      <Select
        selectedOption={privateIp ? { value: privateIp.href, label: privateIp.ip } : null}
        options={(machine?.privateIps ?? []).map(({ href, ip }) => ({ value: href, label: ip }))}
        placeholder={say('choosePrivateIp')}
        disabled={!machine || hasNone}
        ariaRequired
        onChange={({ detail: { selectedOption } }) =>
          change({ privateIp: machine?.privateIps.find(({ href }) => href === selectedOption.value) })
        }
      />
    </FormField>
  )
}
