import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { textFaults } from '#components/base/forms/form-faults'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { NamedField, useMayPick } from '#components/base/pickers/named-picker'
import { useSession } from '#components/base/session/session'
import { TextField } from '#components/kit/field'
import { useCreateVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import {
  newVirtualDatacenterInput,
  type VirtualDatacenterDocument,
} from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { useCreateAppliance, useCreateMachine } from '#lib/cloud/machines/machines.queries'
import { type VirtualMachineDocument, virtualMachineInput } from '#lib/cloud/machines/machines.schema'
import {
  type VirtualApplianceDocument,
  virtualApplianceInput,
} from '#lib/cloud/machines/virtual-appliances.schema'
import { freeNatIpPickerQuery, lowestFreeNatIpQuery, useAttachNatIp } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import type { Named } from '#lib/ground/http/view'
import { parseAddress } from '#lib/ground/net/addresses'
import { ResourcePicker } from './resource-picker'

/* The resources that a NAT rule needs, created over the dialog of the rule. */

type DialogProps<Made> = { onMade: (made: Made) => void; onClose: () => void }

type CenterDraft = { name: string; enterprise: Named | undefined }

type NewCenterProps = DialogProps<VirtualDatacenterDocument> & { datacenter: number }

export function NewCenter({ datacenter, onMade, onClose }: NewCenterProps) {
  const say = useTranslations('nat.parts.center')
  const label = useTranslations('labels')
  const sayFault = useTranslations('forms.faults')
  const own = useSession().enterprise
  const mayPick = useMayPick('enterprise')
  const creating = useCreateVirtualDatacenter()
  const form = useResourceForm<CenterDraft, never, keyof CenterDraft, VirtualDatacenterDocument>({
    first: { name: '', enterprise: own },
    check: ({ name, enterprise }) => {
      const { name: fault } = textFaults(sayFault, newVirtualDatacenterInput, { name: name.trim() })
      return { ...(fault && { name: fault }), ...(!enterprise && { enterprise: say('enterpriseMissing') }) }
    },
    save: ({ draft: { name, enterprise } }) =>
      creating.mutateAsync({ draft: { name: name.trim(), enterprise: enterprise?.id ?? 0, datacenter } }),
    done: ({ name }) => say('created', { name }),
    onDone: (center) => {
      onMade(center)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say('title')} form={form} onClose={onClose}>
      <TextField {...form.field('name')} label={label('name')} autoFocus required autoComplete="off" />
      <NamedField
        {...form.field('enterprise')}
        kind="enterprise"
        label={label('enterprise')}
        hint={say('about')}
        known={[own]}
        disabled={!mayPick}
        required
      />
    </ResourceDialog>
  )
}

type NewApplianceProps = DialogProps<VirtualApplianceDocument> & { center: number }

export function NewAppliance({ center, onMade, onClose }: NewApplianceProps) {
  const say = useTranslations('nat.parts.appliance')
  const label = useTranslations('labels')
  const sayFault = useTranslations('forms.faults')
  const creating = useCreateAppliance(center)
  const form = useResourceForm<{ name: string }, never, 'name', VirtualApplianceDocument>({
    first: { name: '' },
    check: ({ name }) => textFaults(sayFault, virtualApplianceInput, { name: name.trim() }),
    save: ({ draft }) => creating.mutateAsync(draft.name.trim()),
    done: ({ name }) => say('created', { name }),
    onDone: (appliance) => {
      onMade(appliance)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say('title')} form={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={label('name')}
        hint={say('about')}
        autoFocus
        required
        autoComplete="off"
      />
    </ResourceDialog>
  )
}

type MachineDraft = { name: string; ip: string }

type NewMachineProps = DialogProps<VirtualMachineDocument> & { center: number; appliance: number }

/** Registers a machine with one private IP. */
export function NewMachine({ center, appliance, onMade, onClose }: NewMachineProps) {
  const say = useTranslations('nat.parts.machine')
  const label = useTranslations('labels')
  const sayFault = useTranslations('forms.faults')
  const creating = useCreateMachine(center, appliance)
  const form = useResourceForm<MachineDraft, never, keyof MachineDraft, VirtualMachineDocument>({
    first: { name: '', ip: '' },
    check: ({ name, ip }) => {
      const { name: fault } = textFaults(sayFault, virtualMachineInput, { name: name.trim() })
      return { ...(fault && { name: fault }), ...(!parseAddress(ip.trim()) && { ip: say('ipWrong') }) }
    },
    save: ({ draft: { name, ip } }) => creating.mutateAsync({ name: name.trim(), ip: ip.trim() }),
    done: ({ name }) => say('created', { name }),
    onDone: (machine) => {
      onMade(machine)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say('title')} form={form} onClose={onClose}>
      <TextField
        {...form.field('name')}
        label={label('name')}
        hint={say('about')}
        autoFocus
        required
        autoComplete="off"
      />
      <TextField
        {...form.field('ip')}
        label={say('ip')}
        hint={say('ipWhat')}
        required
        autoComplete="off"
        spellCheck={false}
      />
    </ResourceDialog>
  )
}

type AttachDraft = { ip: Pick<NatIpDocument, 'id' | 'ip'> | undefined }

type AttachIpProps = DialogProps<NatIpDocument> & { datacenter: number; center: number }

/** Attaches a free NAT IP to the virtual datacenter: the lowest one, if the user chooses none. */
export function AttachIp(props: AttachIpProps) {
  const say = useTranslations('nat.parts.attach')
  const read = useQuery(lowestFreeNatIpQuery(props.center))
  // Submitted before the lowest one is known, the form would say that none is free.
  if (!read.data) return <LoadingDialog header={say('title')} read={read} onClose={props.onClose} />
  return <AttachForm {...props} lowest={read.data.collection[0]} />
}

function AttachForm({
  datacenter,
  center,
  lowest,
  onMade,
  onClose,
}: AttachIpProps & { lowest: AttachDraft['ip'] }) {
  const say = useTranslations('nat.parts.attach')
  const sayRule = useTranslations('nat.rule')
  const attaching = useAttachNatIp({ datacenter, center })
  const form = useResourceForm<AttachDraft, never, 'ip', NatIpDocument>({
    first: { ip: undefined },
    check: ({ ip }) => (ip || lowest ? {} : { ip: say('none') }),
    save: ({ draft }) => attaching.mutateAsync((draft.ip ?? lowest)?.id ?? 0),
    done: ({ ip }) => say('done', { ip }),
    onDone: (ip) => {
      onMade(ip)
      onClose()
    },
  })
  const chosen = form.draft.ip ?? lowest
  return (
    <ResourceDialog header={say('title')} form={form} label={say('submit')} onClose={onClose}>
      <ResourcePicker
        kind="freeIp"
        label={sayRule('natIp')}
        hint={say('about')}
        error={form.errors.ip}
        value={chosen && { id: chosen.id, name: chosen.ip }}
        pages={(has) => freeNatIpPickerQuery(center, has)}
        optionOf={({ id, ip, networkName }) => ({ id, name: ip, about: networkName })}
        onChange={({ id, ip }) => form.change({ ip: { id, ip } })}
      />
    </ResourceDialog>
  )
}
