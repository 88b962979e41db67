import Button from '@cloudscape-design/components/button'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { faultsByField } from '#components/forms/form-faults'
import { LeaveGuard } from '#components/forms/leave-guard'
import { linkOf } from '#lib/http/view'
import { virtualDatacenterPickerQuery } from '#lib/infrastructure/virtual-datacenters.queries'
import { virtualAppliancePickerQuery, virtualMachinePickerQuery } from '#lib/machines/machines.queries'
import { attachedNatIpPickerQuery } from '#lib/nat/ips.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { useCreateNatRule } from '#lib/nat/rules.queries'
import styles from './nat.module.css'
import { ResourcePicker } from './resource-picker'
import {
  checkRule,
  draftEnds,
  emptyRule,
  fieldOfRuleFault,
  machineOf,
  type Named,
  type RuleDraft,
  type RuleField,
  ruleOf,
  withMachine,
} from './rule-draft'
import { ruleName } from './rule-ends'
import { Ends } from './translation'

/** The state of the form of a new rule. */
function useNewRule(datacenter: number, onCreated: () => void) {
  const say = useTranslations('nat.rule')
  const sayRules = useTranslations('nat.rules')
  const notify = useFlash()
  const create = useCreateNatRule(datacenter)
  const [draft, setDraft] = useState(emptyRule)
  const [wasSent, setWasSent] = useState(false)
  const problems = checkRule(draft)
  const refused = faultsByField<RuleField>(create.error, fieldOfRuleFault(draft))
  return {
    draft,
    errorOf: (field: RuleField) => {
      const problem = wasSent && problems[field]
      return problem ? say(problem) : refused.fields[field]
    },
    failure: refused.rest,
    isSaving: create.isPending,
    /** Closing would lose what was chosen. */
    loses: () => !create.isSuccess && draft !== emptyRule,
    change: (changes: Partial<RuleDraft>) => {
      setDraft({ ...draft, ...changes })
      create.reset()
    },
    submit: () => {
      setWasSent(true)
      const made = ruleOf(draft)
      if (create.isPending || !made || Object.keys(problems).length > 0) return
      create.mutate(made, {
        onSuccess: (rule) => {
          notify({ type: 'success', content: say('created', { name: ruleName(sayRules, rule) }) })
          onCreated()
        },
      })
    },
  }
}

type NewRuleForm = ReturnType<typeof useNewRule>

/** Creates a NAT rule at a virtual machine. */
export function NewRule({ datacenter, onClose }: { datacenter: number; onClose: () => void }) {
  const say = useTranslations('nat.rule')
  const common = useTranslations('common')
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const rule = useNewRule(datacenter, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rule.submit()
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const { original, translated } = draftEnds(rule.draft)
  return (
    <Dialog
      header={say('title')}
      size="large"
      onDismiss={(reason) => !(reason === 'overlay' && rule.loses()) && onClose()}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="primary" form={formId} loading={rule.isSaving} loadingText={say('creating')}>
            {say('create')}
          </Button>
        </SpaceBetween>
      }
    >
      <LeaveGuard loses={rule.loses} />
      <form ref={form} id={formId} onSubmit={submit} noValidate>
        <SpaceBetween size="l">
          {rule.failure && <Failure error={rule.failure} />}
          <MachineFields datacenter={datacenter} rule={rule} />
          <TranslationFields rule={rule} />
          <div className={styles.preview}>
            <SpaceBetween size="xs">
              <span>{say('preview')}</span>
              <Ends original={original} translated={translated} unknown="…" />
            </SpaceBetween>
          </div>
        </SpaceBetween>
      </form>
    </Dialog>
  )
}

const chosen = (thing: Named | undefined) => thing && { value: String(thing.id), label: thing.name }

const optionOf = ({ id, name }: Named) => ({ value: String(id), label: name })

/** The machine that the rule is made at, found from the outside in. */
function MachineFields({ datacenter, rule }: { datacenter: number; rule: NewRuleForm }) {
  const say = useTranslations('nat.rule')
  const { draft, change, errorOf } = rule
  const { center, appliance, machine } = draft
  const none = { machine: undefined, privateIp: undefined }
  return (
    <ColumnLayout columns={3}>
      <FormField label={say('center')} errorText={errorOf('center')} stretch>
        <ResourcePicker
          kind="virtualDatacenter"
          value={chosen(center)}
          pages={(has) => virtualDatacenterPickerQuery(datacenter, has)}
          optionOf={(item) => ({ ...optionOf(item), description: linkOf(item, 'enterprise')?.title ?? '' })}
          onChange={({ id, name }) =>
            change({ ...none, center: { id, name }, appliance: undefined, natIp: undefined })
          }
        />
      </FormField>
      <FormField label={say('appliance')} errorText={errorOf('appliance')} stretch>
        <ResourcePicker
          key={center?.id}
          kind="appliance"
          disabled={!center}
          value={chosen(appliance)}
          pages={(has) => virtualAppliancePickerQuery(center?.id ?? 0, has)}
          optionOf={optionOf}
          onChange={({ id, name }) => change({ ...none, appliance: { id, name } })}
        />
      </FormField>
      <FormField label={say('machine')} errorText={errorOf('machine')} stretch>
        <ResourcePicker
          key={appliance?.id}
          kind="machine"
          disabled={!center || !appliance}
          value={chosen(machine)}
          pages={(has) => virtualMachinePickerQuery(center?.id ?? 0, appliance?.id ?? 0, has)}
          optionOf={optionOf}
          onChange={(item) => change(withMachine(machineOf(item)))}
        />
      </FormField>
    </ColumnLayout>
  )
}

const protocols = ['TCP', 'UDP', 'ANY'] as const

/** What becomes what. */
function TranslationFields({ rule }: { rule: NewRuleForm }) {
  const say = useTranslations('nat.rule')
  const { draft, change, errorOf } = rule
  return (
    <SpaceBetween size="l">
      <FormField label={say('type')} errorText={errorOf('type')} stretch>
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
        <NatIpField rule={rule} />
        <PrivateIpField rule={rule} />
      </ColumnLayout>
      {!draft.snat && (
        <ColumnLayout columns={3}>
          <FormField label={say('protocol')} errorText={errorOf('protocol')}>
            <RadioGroup
              value={draft.protocol}
              direction="horizontal"
              items={protocols.map((value) => ({ value, label: value }))}
              onChange={({ detail }) => {
                const protocol = protocols.find((known) => known === detail.value)
                if (protocol) change({ protocol })
              }}
            />
          </FormField>
          <PortField rule={rule} field="originalPort" />
          <PortField rule={rule} field="translatedPort" />
        </ColumnLayout>
      )}
    </SpaceBetween>
  )
}

function PortField({ rule, field }: { rule: NewRuleForm; field: 'originalPort' | 'translatedPort' }) {
  const say = useTranslations('nat.rule')
  return (
    <FormField label={say(field)} constraintText={say('portsWhat')} errorText={rule.errorOf(field)} stretch>
      <Input
        value={rule.draft[field]}
        inputMode="numeric"
        autoComplete={false}
        placeholder={say('allPorts')}
        onChange={({ detail }) => rule.change({ [field]: detail.value.trim() })}
      />
    </FormField>
  )
}

/** The NAT IPs that the virtual datacenter holds; those in quarantine take no rules. */
function NatIpField({ rule: { draft, change, errorOf } }: { rule: NewRuleForm }) {
  const say = useTranslations('nat.rule')
  const { center, natIp } = draft
  const hrefOf = (ip: NatIpDocument) => linkOf(ip, 'self')?.href ?? ''
  return (
    <FormField label={say('natIp')} errorText={errorOf('natIp')} stretch>
      <ResourcePicker
        key={center?.id}
        kind="natIp"
        disabled={!center}
        value={natIp && { value: natIp.href, label: natIp.ip }}
        pages={(has) => attachedNatIpPickerQuery(center?.id ?? 0, has)}
        optionOf={(ip) => ({
          value: hrefOf(ip),
          label: ip.ip,
          labelTag: ip.defaultSnat ? say('default') : ip.networkName,
          ...(ip.quarantine && { disabled: true, disabledReason: say('inQuarantine') }),
        })}
        onChange={(ip) => change({ natIp: { href: hrefOf(ip), ip: ip.ip } })}
      />
    </FormField>
  )
}

function PrivateIpField({ rule: { draft, change, errorOf } }: { rule: NewRuleForm }) {
  const say = useTranslations('nat.rule')
  const { machine, privateIp } = draft
  const hasNone = machine?.privateIps.length === 0
  return (
    <FormField
      label={say('privateIp')}
      errorText={hasNone ? say('noPrivateIps', { machine: machine.name }) : errorOf('privateIp')}
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
