import { useTranslations } from 'use-intl'
import { type FieldKind, resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog } from '#components/base/forms/declared-screens'
import { textLine } from '#components/base/forms/field-kinds'
import { noteFields } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { Select } from '#components/kit/select'
import { useFresh } from '#lib/client/resources.queries'
import { machinePath, useChangeMachine, virtualMachineQuery } from '#lib/cloud/machines/machines.queries'
import {
  type MachineState,
  machineStates,
  type VirtualMachineDocument,
  virtualMachineInput,
} from '#lib/cloud/machines/machines.schema'
import { owner, privateIps, template } from './machine-fields'

const state: FieldKind<MachineState> = {
  Input: ({ label, hint, error, value, onChange }) => {
    const say = useTranslations('inventory.states')
    return (
      <Select
        label={label}
        hint={hint}
        error={error}
        value={value}
        options={machineStates.map((value) => ({ value, text: say(value) }))}
        onChange={onChange}
      />
    )
  },
  Text: ({ value }) => useTranslations('inventory.states')(value),
}

const machineForm = resourceForm(
  virtualMachineInput.pick({ name: true, label: true, state: true, description: true, tags: true }),
  {
    name: { as: textLine(), label: 'name' },
    label: { as: textLine(), label: 'inventory.machines.label', hint: 'inventory.machines.labelRule' },
    state: { as: state, label: 'state', hint: 'inventory.machines.stateRule' },
    user: { as: owner, label: 'inventory.machines.owner', hint: 'inventory.machines.ownerRule' },
    virtualmachinetemplate: {
      as: template,
      label: 'inventory.machines.template',
      hint: 'inventory.machines.templateRule',
    },
    privateips: { as: privateIps, label: 'privateips', hint: 'inventory.machines.privateIpsRule' },
    ...noteFields,
  },
)

type EditProps = { center: number; appliance: number; id: number; onClose: () => void }

export function EditMachine({ center, appliance, id, onClose }: EditProps) {
  const say = useTranslations('inventory.machines')
  const path = machinePath(center, appliance, id)
  const read = useFresh(virtualMachineQuery(path))
  if (!read.data) return <LoadingDialog header={say('edit')} read={read} onClose={onClose} />
  return <MachineForm center={center} path={path} read={read} onClose={onClose} />
}

type FormProps = { center: number; path: string; read: Read<VirtualMachineDocument>; onClose: () => void }

function MachineForm({ center, path, read, onClose }: FormProps) {
  const say = useTranslations('inventory.machines')
  const changing = useChangeMachine(center, path)
  return (
    <FormInDialog
      of={machineForm}
      title={say('edit')}
      read={read}
      names={() => ({ nic: 'privateips' })}
      save={async ({ draft, current }) => {
        if (!current) throw new Error('A machine is saved before it is read')
        return changing.mutateAsync({ draft, current })
      }}
      done={({ name }) => say('saved', { name })}
      onClose={onClose}
    />
  )
}
