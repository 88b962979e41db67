import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog, type MadeProps } from '#components/base/forms/declared-screens'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { LoadingDialog, ResourceDialog } from '#components/base/forms/resource-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { NamedField } from '#components/base/pickers/named-picker'
import { useMayPick, useSession } from '#components/base/session/session'
import { useCreateVirtualDatacenter } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import {
  newVirtualDatacenterInput,
  type VirtualDatacenterDocument,
} from '#lib/cloud/infrastructure/virtual-datacenters.schema'
import { useCreateMachine, useRegisterMachine } from '#lib/cloud/machines/machines.queries'
import { type VirtualMachineDocument, virtualMachineInput } from '#lib/cloud/machines/machines.schema'
import { privateIpInput } from '#lib/cloud/machines/private-ips.schema'
import { useSaveAppliance } from '#lib/cloud/machines/virtual-appliances.queries'
import {
  type VirtualApplianceDocument,
  virtualApplianceInput,
} from '#lib/cloud/machines/virtual-appliances.schema'
import { freeNatIpPickerQuery, lowestFreeNatIpQuery, useAttachNatIp } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import type { Named } from '#lib/ground/http/view'
import { ResourcePicker } from './resource-picker'

/* The resources that a NAT rule needs, created over the dialog of the rule. */

const name = { as: textLine(), label: 'name' } as const

/** What a new virtual datacenter is asked for in a known datacenter. */
export const centerFields = {
  name,
  enterprise: {
    as: { ...linked, Input: HolderInput },
    label: 'enterprise',
    hint: 'nat.parts.center.about',
    missing: 'nat.parts.center.enterpriseMissing',
  },
} as const

const centerForm = resourceForm(
  newVirtualDatacenterInput.omit({ description: true, tags: true }),
  centerFields,
)

const applianceForm = resourceForm(virtualApplianceInput.pick({ name: true }), {
  name: { ...name, hint: 'nat.parts.appliance.about' },
})

/** A machine with one private IP. */
const machineForm = resourceForm(
  virtualMachineInput.pick({ name: true }).extend({ ip: privateIpInput.shape.ip }),
  {
    name: { ...name, hint: 'nat.parts.machine.about' },
    ip: {
      as: textLine({ spellCheck: false }),
      label: 'nat.parts.machine.ip',
      hint: 'nat.parts.machine.ipWhat',
      missing: 'nat.parts.machine.ipWrong',
      wrong: 'nat.parts.machine.ipWrong',
    },
  },
)

export function NewCenter({
  datacenter,
  ...props
}: MadeProps<VirtualDatacenterDocument> & { datacenter: number }) {
  const say = useTranslations('nat.parts.center')
  const creating = useCreateVirtualDatacenter()
  return (
    <FormInDialog
      {...props}
      of={centerForm}
      title={say('title')}
      first={{ enterprise: useSession().enterprise }}
      save={({ draft: { name, enterprise = 0 } }) =>
        creating.mutateAsync({ draft: { name, enterprise, datacenter } })
      }
      done={({ name }) => say('created', { name })}
    />
  )
}

function HolderInput({ form: _, autoFocus: __, ...field }: InputProps<Named | undefined>) {
  const own = useSession().enterprise
  return <NamedField {...field} kind="enterprise" known={[own]} disabled={!useMayPick('enterprise')} />
}

export function NewAppliance({ center, ...props }: MadeProps<VirtualApplianceDocument> & { center: number }) {
  const say = useTranslations('nat.parts.appliance')
  const creating = useSaveAppliance(center)
  return (
    <FormInDialog
      {...props}
      of={applianceForm}
      title={say('title')}
      save={creating.mutateAsync}
      done={({ name }) => say('created', { name })}
    />
  )
}

type NewMachineProps = MadeProps<VirtualMachineDocument> & { center: number; appliance: number }

export function NewMachine({ center, appliance, ...props }: NewMachineProps) {
  const say = useTranslations('nat.parts.machine')
  const creating = useCreateMachine(center, appliance)
  return (
    <FormInDialog
      {...props}
      of={machineForm}
      title={say('title')}
      save={({ draft }) => creating.mutateAsync(draft)}
      done={({ name }) => say('created', { name })}
    />
  )
}

/** The same where only the datacenter is known: the machine goes to the first virtual datacenter of the caller's enterprise. */
export function RegisterMachine({
  datacenter,
  ...props
}: MadeProps<VirtualMachineDocument> & { datacenter: number }) {
  const say = useTranslations('nat.parts.machine')
  const { enterprise } = useSession()
  const registering = useRegisterMachine(datacenter, enterprise)
  return (
    <FormInDialog
      {...props}
      of={machineForm}
      title={say('title')}
      save={({ draft }) => registering.mutateAsync(draft)}
      done={({ name }) => say('created', { name })}
    >
      <div className="quiet">{say('place', { enterprise: enterprise.name })}</div>
    </FormInDialog>
  )
}

type AttachDraft = { ip: Pick<NatIpDocument, 'id' | 'ip'> | undefined }

type AttachIpProps = MadeProps<NatIpDocument> & { datacenter: number; center: number }

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
      onMade?.(ip)
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
