import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { Checkbox } from '#components/kit/checkbox'
import { Field as Group, TextField } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Radio } from '#components/kit/radio'
import { Status } from '#components/kit/status'
import { useCreateNatIps } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { lowestFreeQuery, natNetworkPickerQuery } from '#lib/cloud/nat/networks.queries'
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
          <Stack gap="l">
            {!network && <NetworkField datacenter={chosen} form={form} />}
            <ModeField form={form} datacenter={chosen} />
            {mode !== 'lowest' && <AddressField form={form} />}
            {mode === 'range' && <CountField form={form} />}
            <StateField form={form} />
          </Stack>
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
        open: onShow && { text: say('show', { count }), run: () => void onShow(first) },
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
    <CreateInPlace
      label={sayNew('network')}
      mayCreate={mayCreate}
      dialog={(onClose) => <NewNetworkDialog datacenter={datacenter} onMade={choose} onClose={onClose} />}
    >
      <ResourcePicker
        kind="network"
        label={say('network')}
        error={errors.network}
        value={draft.network}
        pages={(has) => natNetworkPickerQuery(datacenter, has)}
        optionOf={({ id, name, cidr }) => ({ id, name, about: cidr })}
        onChange={choose}
      />
    </CreateInPlace>
  )
}

const modes = ['lowest', 'address', 'range'] as const

function ModeField({ form: { draft, errors, change }, datacenter }: FieldProps & { datacenter: number }) {
  const say = useTranslations('nat.add')
  const { network } = draft
  const { data: lowest } = useQuery({
    ...lowestFreeQuery(datacenter, network ?? { id: 0, cidr: '' }),
    enabled: network !== undefined,
  })
  const aboutOf = (mode: (typeof modes)[number]) => {
    if (mode !== 'lowest' || lowest === undefined) return say(`modes.${mode}What`)
    return lowest === null ? say('noneFree') : say('lowestIs', { ip: lowest })
  }
  return (
    <Radio
      look="tiles"
      label={say('mode')}
      error={errors.mode}
      value={draft.mode}
      choices={modes.map((mode) => ({
        value: mode,
        text: say(`modes.${mode}`),
        about: aboutOf(mode),
      }))}
      onChange={(mode) => change({ mode })}
    />
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
      hint={
        <>
          {isRange && say('fromWhat')} {draft.network && say('within', { cidr: draft.network.cidr })}
        </>
      }
      autoComplete="off"
      spellCheck={false}
      required={!isRange}
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
      hint={most === 0 ? say('noneFree') : say(draft.network ? 'countFree' : 'countLimit', { most })}
      inputMode="numeric"
      autoComplete="off"
      required
      onChange={(count) => change({ count: count.trim() })}
    />
  )
}

function StateField({ form: { draft, change } }: FieldProps) {
  const say = useTranslations('nat.add')
  return (
    <Group role="group" label={say('state')}>
      {() => (
        <Stack gap="s">
          {(['available', 'quarantine'] as const).map((flag) => (
            <Checkbox
              key={flag}
              isChosen={draft[flag]}
              about={say(`${flag}What`)}
              onChange={(isChosen) => change({ [flag]: isChosen })}
            >
              {say(flag)}
            </Checkbox>
          ))}
        </Stack>
      )}
    </Group>
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
    <Status kind="busy">
      <span role="status">{say('running', { count })}</span>{' '}
      <span aria-hidden="true">{seconds > 0 && say('seconds', { seconds })}</span>
    </Status>
  )
}
