import { useTranslations } from 'use-intl'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { useMay } from '#components/base/session/session'
import { Columns, Stack } from '#components/kit/layout'
import { Radio } from '#components/kit/radio'
import { Select } from '#components/kit/select'
import { virtualMachinePickerQuery } from '#lib/cloud/machines/machines.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { virtualAppliancePickerQuery } from '#lib/cloud/machines/virtual-appliances.queries'
import { attachedNatIpPickerQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natProtocols } from '#lib/cloud/nat/rules.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { ResourcePicker, VirtualDatacenterPicker } from './resource-picker'
import { machineOf, type Named, overlapsOf, withMachine } from './rule-draft'
import { AttachIp, NewAppliance, NewCenter, NewMachine } from './rule-parts'
import { PortField, SourcesField } from './rule-settings'
import { useTakenPorts } from './taken-ports'
import type { NewRuleForm } from './use-new-rule'

/* The fields of a new NAT rule. Each is chosen within the one before it. */

type FieldsProps = { form: NewRuleForm }

const optionOf = ({ id, name }: Named) => ({ id, name })

/** The machine of the rule, chosen by its virtual datacenter and its appliance. */
export function MachineFields({ datacenter, form }: FieldsProps & { datacenter: number }) {
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

export function TranslationFields({ datacenter, form }: FieldsProps & { datacenter: number }) {
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
