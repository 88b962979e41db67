import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Tiles from '@cloudscape-design/components/tiles'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { useCreateNatIps } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natNetworkPickerQuery } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import type { Collection } from '#lib/ground/http/view'
import { type AddDraft, type AddField, addedIps, addNames, checkAdd, ipBody, mostOf } from './add-draft'
import { InDatacenter } from './datacenter-field'
import { NewNetworkDialog } from './network-form-page'
import { ResourcePicker } from './resource-picker'

type AddIpsProps = {
  /** If absent, the user chooses one. */
  datacenter: number | undefined
  /** If absent, the user chooses one. */
  network: NatNetworkDocument | undefined
  /** The address in the form at first. */
  first: string
  /** Shows an address in the list. */
  onShow?: (ip: string) => Promise<void>
  onClose: () => void
}

/** The dialog that adds one IP or a range of IPs to a NAT network, and then names the added addresses. */
export function AddIps(props: AddIpsProps) {
  const { datacenter, network, onClose } = props
  const say = useTranslations('nat.add')
  const form = useAddForm(props)
  const { draft, errors, change } = form
  const { mode, count } = draft
  return (
    <ResourceDialog
      header={network ? say('titleIn', { network: network.name }) : say('title')}
      size="large"
      form={form}
      label={say('submit', { mode })}
      busyLabel={say('adding')}
      canClose={!form.isSaving}
      onClose={onClose}
    >
      <InDatacenter
        given={datacenter}
        value={draft.datacenter}
        error={errors.datacenter}
        onChange={(datacenter) => change({ datacenter, network: undefined })}
      >
        {(chosen) => (
          <SpaceBetween size="l">
            {!network && <NetworkField datacenter={chosen} form={form} />}
            <ModeField form={form} />
            {mode !== 'lowest' && <AddressField form={form} />}
            {mode === 'range' && <CountField form={form} />}
            <StateField form={form} />
          </SpaceBetween>
        )}
      </InDatacenter>
      {form.isSaving && <Running count={mode === 'range' ? Number(count) : 1} />}
    </ResourceDialog>
  )
}

function useAddForm({ datacenter, network, first, onShow, onClose }: AddIpsProps) {
  const say = useTranslations('nat.add')
  const label = useTranslations('labels')
  const create = useCreateNatIps()
  const chosenIn = (draft: AddDraft) => datacenter ?? draft.datacenter?.id
  return useResourceForm<AddDraft, never, AddField, NatIpDocument | Collection<NatIpDocument>>({
    first: {
      mode: first === '' ? 'lowest' : 'address',
      network: network && pickedNetwork(network),
      ip: first,
      count: '',
      available: true,
      quarantine: false,
    },
    check: (draft) => {
      if (chosenIn(draft) === undefined) return { datacenter: label('datacenterMissing') }
      const values = { cidr: draft.network?.cidr ?? '', most: mostOf(draft) }
      const problems = Object.entries(checkAdd(draft))
      return Object.fromEntries(problems.map(([field, problem]) => [field, say(problem, values)]))
    },
    names: addNames,
    save: ({ draft }) =>
      create.mutateAsync({
        datacenter: chosenIn(draft) ?? 0,
        network: draft.network?.id ?? 0,
        body: ipBody(draft),
      }),
    done: (answer, draft) => {
      const { count, first, last } = addedIps(answer)
      return {
        type: 'success',
        content: say('came', { count, first, last, network: draft.network?.name ?? '' }),
        ...(onShow && {
          action: <Button onClick={() => void onShow(first)}>{say('show', { count })}</Button>,
        }),
      }
    },
    onDone: onClose,
  })
}

const pickedNetwork = ({ id, name, cidr, ips }: NatNetworkDocument) => ({ id, name, cidr, ips })

type AddForm = ReturnType<typeof useAddForm>
type FieldProps = { form: AddForm }

function NetworkField({ datacenter, form: { draft, errors, change } }: FieldProps & { datacenter: number }) {
  const say = useTranslations('nat.add')
  const sayNew = useTranslations('forms.inPlace')
  const mayCreate = useMay(...access.changeNatNetworks)
  const choose = (network: NatNetworkDocument) => change({ network: pickedNetwork(network) })
  return (
    <FormField label={say('network')} errorText={errors.network} stretch>
      <CreateInPlace
        label={sayNew('network')}
        mayCreate={mayCreate}
        dialog={(onClose) => <NewNetworkDialog datacenter={datacenter} onMade={choose} onClose={onClose} />}
      >
        <ResourcePicker
          kind="network"
          value={draft.network && { value: String(draft.network.id), label: draft.network.name }}
          pages={(has) => natNetworkPickerQuery(datacenter, has)}
          optionOf={({ id, name, cidr }) => ({ value: String(id), label: name, labelTag: cidr })}
          onChange={choose}
        />
      </CreateInPlace>
    </FormField>
  )
}

const modes = ['lowest', 'address', 'range'] as const

function ModeField({ form: { draft, errors, change } }: FieldProps) {
  const say = useTranslations('nat.add')
  return (
    <FormField label={say('mode')} errorText={errors.mode} stretch>
      <Tiles
        value={draft.mode}
        columns={3}
        items={modes.map((mode) => ({
          value: mode,
          label: say(`modes.${mode}`),
          description: say(`modes.${mode}What`),
        }))}
        onChange={({ detail }) => {
          const mode = modes.find((known) => known === detail.value)
          if (mode) change({ mode })
        }}
      />
    </FormField>
  )
}

function AddressField({ form: { draft, field } }: FieldProps) {
  const say = useTranslations('nat.add')
  const label = useTranslations('labels')
  const isRange = draft.mode === 'range'
  return (
    <TextField
      {...field('ip')}
      label={isRange ? say.rich('from', { optional: (inside) => <i>{inside}</i> }) : label('address')}
      description={isRange && say('fromWhat')}
      constraintText={draft.network && say('within', { cidr: draft.network.cidr })}
      stretch={false}
      autoComplete={false}
      spellcheck={false}
      ariaRequired={!isRange}
    />
  )
}

function CountField({ form: { draft, field, change } }: FieldProps) {
  const say = useTranslations('nat.add')
  const most = mostOf(draft)
  return (
    <TextField
      {...field('count')}
      label={say('count')}
      constraintText={
        most === 0 ? say('noneFree') : say(draft.network ? 'countFree' : 'countLimit', { most })
      }
      stretch={false}
      inputMode="numeric"
      autoComplete={false}
      ariaRequired
      onChange={(count) => change({ count: count.trim() })}
    />
  )
}

function StateField({ form: { draft, change } }: FieldProps) {
  const say = useTranslations('nat.add')
  return (
    <FormField label={say('state')} stretch>
      <SpaceBetween size="xs">
        {(['available', 'quarantine'] as const).map((flag) => (
          <Checkbox
            key={flag}
            checked={draft[flag]}
            description={say(`${flag}What`)}
            onChange={({ detail }) => change({ [flag]: detail.checked })}
          >
            {say(flag)}
          </Checkbox>
        ))}
      </SpaceBetween>
    </FormField>
  )
}

/** Counts the seconds: thousands of addresses take a while. */
function Running({ count }: { count: number }) {
  const say = useTranslations('nat.add')
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <StatusIndicator type="loading">
      <span role="status">{say('running', { count })}</span>{' '}
      <span aria-hidden="true">{seconds > 0 && say('seconds', { seconds })}</span>
    </StatusIndicator>
  )
}
