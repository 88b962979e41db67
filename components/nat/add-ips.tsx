import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Tiles from '@cloudscape-design/components/tiles'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { faultsByField } from '#components/forms/form-faults'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useCreateNatIp, useCreateNatIpRun } from '#lib/nat/ips.queries'
import { natNetworkPickerQuery } from '#lib/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import {
  type AddDraft,
  type AddField,
  type Came,
  cameOne,
  cameRun,
  checkAdd,
  fieldOfAddFault,
  ipBody,
  mostAtOnce,
} from './add-draft'
import { ResourcePicker } from './resource-picker'

type AddIpsProps = {
  datacenter: number
  /** Without it the user chooses one. */
  network: NatNetworkDocument | undefined
  /** The address to begin with. */
  first: string
  /** Leads to an address of the list. */
  onShow?: (ip: string) => Promise<void>
  onClose: () => void
}

/** Adds one IP to a NAT network, or a range of them, and says which addresses came. */
export function AddIps({ datacenter, network, first, onShow, onClose }: AddIpsProps) {
  const say = useTranslations('nat.add')
  const common = useTranslations('common')
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const told = useTold(onShow)
  const start: AddDraft = {
    mode: first === '' ? 'lowest' : 'address',
    network: network && { id: network.id, name: network.name, cidr: network.cidr },
    ip: first,
    count: '',
    available: true,
    quarantine: false,
  }
  const add = useAddIps(datacenter, start, (came, draft) => {
    told(came, draft)
    onClose()
  })
  const close = () => !add.isAdding && onClose()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.submit())
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <Dialog
      header={network ? say('titleIn', { network: network.name }) : say('title')}
      size="large"
      onDismiss={(reason) => !(reason === 'overlay' && add.loses()) && close()}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" disabled={add.isAdding} onClick={close}>
            {common('cancel')}
          </Button>
          <Button variant="primary" form={formId} loading={add.isAdding} loadingText={say('adding')}>
            {say('submit', { mode: add.draft.mode })}
          </Button>
        </SpaceBetween>
      }
    >
      <LeaveGuard loses={add.loses} />
      <form ref={form} id={formId} onSubmit={submit} noValidate>
        <SpaceBetween size="l">
          {add.failure && <Failure error={add.failure} />}
          <AddFields datacenter={datacenter} add={add} isNetworkFixed={network !== undefined} />
          {add.isAdding && <Running count={add.draft.mode === 'range' ? Number(add.draft.count) : 1} />}
        </SpaceBetween>
      </form>
    </Dialog>
  )
}

/** How long it has been going on: thousands of addresses take their time. */
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

/** Says which addresses came, and leads to them. */
function useTold(onShow: ((ip: string) => Promise<void>) | undefined) {
  const say = useTranslations('nat.add')
  const notify = useFlash()
  return ({ count, first, last }: Came, { network }: AddDraft) =>
    notify({
      type: 'success',
      content: say('came', { count, first, last, network: network?.name ?? '' }),
      ...(onShow && { action: <Button onClick={() => void onShow(first)}>{say('show', { count })}</Button> }),
    })
}

type AddFieldsProps = { datacenter: number; add: ReturnType<typeof useAddIps>; isNetworkFixed: boolean }

const modes = ['lowest', 'address', 'range'] as const

/** Which IPs, and in what state they come. */
function AddFields({ datacenter, add, isNetworkFixed }: AddFieldsProps) {
  const say = useTranslations('nat.add')
  const { draft, change } = add
  const errorOf = useErrorOf(add)
  return (
    <SpaceBetween size="l">
      {!isNetworkFixed && (
        <FormField label={say('network')} errorText={errorOf('network')} stretch>
          <ResourcePicker
            kind="network"
            value={draft.network && { value: String(draft.network.id), label: draft.network.name }}
            pages={(has) => natNetworkPickerQuery(datacenter, has)}
            optionOf={({ id, name, cidr }) => ({ value: String(id), label: name, labelTag: cidr })}
            onChange={({ id, name, cidr }) => change({ network: { id, name, cidr } })}
          />
        </FormField>
      )}
      <FormField label={say('mode')} errorText={errorOf('mode')} stretch>
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
      {draft.mode !== 'lowest' && <AddressField add={add} error={errorOf('ip')} />}
      {draft.mode === 'range' && (
        <FormField
          label={say('count')}
          constraintText={say('countLimit', { most: mostAtOnce })}
          errorText={errorOf('count')}
        >
          <Input
            value={draft.count}
            inputMode="numeric"
            autoComplete={false}
            ariaRequired
            onChange={({ detail }) => change({ count: detail.value.trim() })}
          />
        </FormField>
      )}
      <FormField label={say('state')} stretch>
        <SpaceBetween size="xs">
          <Checkbox
            checked={draft.available}
            description={say('availableWhat')}
            onChange={({ detail }) => change({ available: detail.checked })}
          >
            {say('available')}
          </Checkbox>
          <Checkbox
            checked={draft.quarantine}
            description={say('quarantineWhat')}
            onChange={({ detail }) => change({ quarantine: detail.checked })}
          >
            {say('quarantine')}
          </Checkbox>
        </SpaceBetween>
      </FormField>
    </SpaceBetween>
  )
}

function AddressField({ add: { draft, change }, error }: { add: AddFieldsProps['add']; error: ReactNode }) {
  const say = useTranslations('nat.add')
  const isRange = draft.mode === 'range'
  return (
    <FormField
      label={isRange ? say.rich('from', { optional: (inside) => <i>{inside}</i> }) : say('ip')}
      description={isRange && say('fromWhat')}
      constraintText={draft.network && say('within', { cidr: draft.network.cidr })}
      errorText={error}
    >
      <Input
        value={draft.ip}
        autoComplete={false}
        spellcheck={false}
        ariaRequired={!isRange}
        onChange={({ detail }) => change({ ip: detail.value })}
      />
    </FormField>
  )
}

/** What is wrong with a field: found here, or told by the API. */
function useErrorOf({ draft, problems, refused }: AddFieldsProps['add']) {
  const say = useTranslations('nat.add')
  return (field: AddField) => {
    const problem = problems[field]
    if (problem) return say(problem, { cidr: draft.network?.cidr ?? '', most: mostAtOnce })
    return refused[field]
  }
}

/** The state of the form for new IPs. */
function useAddIps(datacenter: number, first: AddDraft, onCame: (came: Came, draft: AddDraft) => void) {
  const [draft, setDraft] = useState(first)
  const [wasSent, setWasSent] = useState(false)
  const network = draft.network?.id ?? 0
  const one = useCreateNatIp(datacenter, network)
  const run = useCreateNatIpRun(datacenter, network)
  const problems = checkAdd(draft)
  const used = draft.mode === 'range' ? run : one
  const refused = faultsByField<AddField>(used.error, fieldOfAddFault(draft))

  const submit = (): boolean => {
    setWasSent(true)
    if (used.isPending || Object.keys(problems).length > 0) return false
    const body = ipBody(draft)
    if (draft.mode === 'range') {
      run.mutate(
        { ...body, numips: Number(draft.count) },
        { onSuccess: (answer) => onCame(cameRun(answer), draft) },
      )
    } else {
      one.mutate(body, { onSuccess: (answer) => onCame(cameOne(answer), draft) })
    }
    return true
  }

  return {
    draft,
    problems: wasSent ? problems : {},
    refused: refused.fields,
    failure: refused.rest,
    isAdding: used.isPending,
    /** Closing would lose what was typed. */
    loses: () => !used.isSuccess && (draft.ip !== first.ip || draft.count !== first.count),
    change: (changes: Partial<AddDraft>) => {
      setDraft({ ...draft, ...changes })
      one.reset()
      run.reset()
    },
    submit,
  }
}
