import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { useTranslations } from 'use-intl'
import { linkOf } from '#lib/http/view'
import {
  virtualAppliancePickerQuery,
  virtualDatacenterPickerQuery,
  virtualMachinePickerQuery,
} from '#lib/infrastructure/virtual-datacenters.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { attachedNatIpPickerQuery } from '#lib/nat/pickers.queries'
import type { NewRuleForm } from './new-rule'
import { ResourcePicker } from './resource-picker'
import { machineOf, type Named, withMachine } from './rule-draft'

const chosen = (thing: Named | undefined) => thing && { value: String(thing.id), label: thing.name }

const optionOf = ({ id, name }: Named) => ({ value: String(id), label: name })

/** The machine that the rule is made at, found from the outside in. */
export function MachineFields({ datacenter, rule }: { datacenter: number; rule: NewRuleForm }) {
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
export function TranslationFields({ rule }: { rule: NewRuleForm }) {
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
