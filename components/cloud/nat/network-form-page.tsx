import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import type { FieldErrors } from '#components/base/forms/form-faults'
import { useDatacenterId, useIds } from '#components/base/forms/ids'
import { ResourceDialog, ResourceForm } from '#components/base/forms/resource-form'
import { type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Page } from '#components/frame/layout/page'
import { TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { useFresh } from '#lib/client/resources.queries'
import { natNetworkBody, natNetworkQuery, useSaveNatNetwork } from '#lib/cloud/nat/networks.queries'
import { type NatNetworkDocument, natNetworkInput } from '#lib/cloud/nat/networks.schema'
import { idOfLink, linkOf, type Named } from '#lib/ground/http/view'
import type { Say } from '#lib/words/words'
import { CidrField, Overlapping, useOverlapping } from './cidr-field'
import { InDatacenter } from './datacenter-field'
import { type ChosenDevice, DevicePicker } from './resource-picker'
import { datacenterOf, useDatacenter } from './use-datacenter'

const readable = 720

export function Component() {
  const { datacenter, network } = useIds()
  const chosen = useDatacenterId()
  return network === 0 ? (
    <NewNetwork datacenter={chosen} />
  ) : (
    <EditNetwork key={`${datacenter}/${network}`} datacenter={datacenter} network={network} />
  )
}

/** Without a datacenter, the form asks for it first. */
function NewNetwork({ datacenter }: { datacenter: number | undefined }) {
  const say = useTranslations('nat')
  const { name, natCrumbs } = useDatacenter(datacenter)
  return (
    <Page
      title={say('form.createTitle')}
      description={datacenter !== undefined && say('form.in', { datacenter: name })}
      breadcrumbs={natCrumbs}
      maxContentWidth={readable}
    >
      <NetworkForm datacenter={datacenter} />
    </Page>
  )
}

function EditNetwork({ datacenter, network }: { datacenter: number; network: number }) {
  const say = useTranslations('nat')
  const { natCrumbs } = useDatacenter(datacenter)
  const read = useFresh(natNetworkQuery(datacenter, network))
  const name = read.data?.document.name ?? say('network.numbered', { id: String(network) })
  return (
    <Page
      title={say('form.editTitle', { name })}
      breadcrumbs={[...natCrumbs, { text: name, href: paths.natNetwork(datacenter, network) }]}
      maxContentWidth={readable}
    >
      {read.data ? <NetworkForm datacenter={datacenter} read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}

type NetworkField = 'datacenter' | 'name' | 'cidr' | 'device'

type NetworkDraft = {
  /** Where the user has chosen it. */
  datacenter?: Named | undefined
  name: string
  cidr: string
  device: ChosenDevice | undefined
}

function draftOf(network: NatNetworkDocument): NetworkDraft {
  const device = linkOf(network, 'device')
  return {
    name: network.name,
    cidr: network.cidr,
    device: device && { href: device.href, name: device.title ?? String(idOfLink(device)) },
  }
}

function checkDraft(say: Say<'nat.form'>, { name, cidr, device }: NetworkDraft): FieldErrors<NetworkField> {
  const { shape } = natNetworkInput
  const refuses = (field: 'name' | 'cidr', text: string) => !shape[field].safeParse(text.trim()).success
  return {
    ...(refuses('name', name) && { name: say(name.trim() === '' ? 'nameMissing' : 'nameTooLong') }),
    ...(refuses('cidr', cidr) && { cidr: say(cidr.trim() === '' ? 'cidrMissing' : 'cidrWrong') }),
    ...(!device && { device: say('deviceMissing') }),
  }
}

type NetworkFormProps = {
  /** If absent, the user chooses one. */
  datacenter: number | undefined
  /** The network to change; absent for a new one. */
  read?: Read<NatNetworkDocument>
  /** The device that a new network begins with. */
  device?: ChosenDevice | undefined
}

type NetworkFormOptions = NetworkFormProps & { onDone: (network: NatNetworkDocument) => void }

function useNetworkForm({ datacenter, read, device, onDone }: NetworkFormOptions) {
  const say = useTranslations('nat.form')
  const label = useTranslations('labels')
  const none = useTranslations('common')('none')
  const save = useSaveNatNetwork()
  const chosenIn = (draft: NetworkDraft) => datacenter ?? draft.datacenter?.id
  return useResourceForm<NetworkDraft, NatNetworkDocument, NetworkField>({
    first: { name: '', cidr: '', device },
    editing: {
      read,
      draftOf,
      shown: {
        name: { label: label('name'), text: String },
        cidr: { label: label('cidr'), text: String },
        device: { label: label('device'), text: (chosen) => chosen?.name ?? none },
        datacenter: null,
      },
    },
    check: (draft) =>
      chosenIn(draft) === undefined ? { datacenter: label('datacenterMissing') } : checkDraft(say, draft),
    save: ({ draft, ...over }) => {
      const { name, cidr, device } = draft
      const fields = { name: name.trim(), cidr: cidr.trim(), device: device?.href }
      const body = natNetworkBody(fields, over.current?.document)
      return save.mutateAsync({ datacenter: chosenIn(draft) ?? 0, body, ...over })
    },
    done: ({ name }) => say('saved', { name }),
    onDone,
  })
}

function NetworkForm({ datacenter, read }: NetworkFormProps) {
  const label = useTranslations('labels')
  const navigate = useNavigate()
  const form = useNetworkForm({
    datacenter,
    ...(read && { read }),
    onDone: (made) => void navigate(paths.natNetwork(datacenterOf(made), made.id)),
  })
  const network = read?.data?.document
  return (
    <ResourceForm
      form={form}
      back={network ? paths.natNetwork(datacenterOf(network), network.id) : paths.natNetworks(datacenter)}
      label={network ? undefined : label('createNetwork')}
    >
      <Card>
        <NetworkFields datacenter={datacenter} form={form} network={network} />
      </Card>
    </ResourceForm>
  )
}

type NewNetworkDialogProps = Omit<NetworkFormProps, 'read'> & {
  onMade?: (network: NatNetworkDocument) => void
  onClose: () => void
}

/** Creates a network over another form. */
export function NewNetworkDialog({ datacenter, device, onMade, onClose }: NewNetworkDialogProps) {
  const say = useTranslations('nat.form')
  const label = useTranslations('labels')
  const form = useNetworkForm({
    datacenter,
    device,
    onDone: (network) => {
      onMade?.(network)
      onClose()
    },
  })
  return (
    <ResourceDialog header={say('createTitle')} form={form} label={label('createNetwork')} onClose={onClose}>
      <NetworkFields datacenter={datacenter} form={form} network={undefined} />
    </ResourceDialog>
  )
}

type NetworkForm = ReturnType<typeof useNetworkForm>

type NetworkFieldsProps = {
  datacenter: number | undefined
  form: NetworkForm
  network: NatNetworkDocument | undefined
}

function NetworkFields({ datacenter, ...fields }: NetworkFieldsProps) {
  const { draft, errors, change } = fields.form
  return (
    <InDatacenter
      given={datacenter}
      value={draft.datacenter}
      error={errors.datacenter}
      onChange={(datacenter) => change({ datacenter, device: undefined })}
    >
      {(chosen) => <FieldsIn datacenter={chosen} {...fields} />}
    </InDatacenter>
  )
}

type FieldsInProps = NetworkFieldsProps & { datacenter: number }

function FieldsIn({ datacenter, form, network }: FieldsInProps) {
  const say = useTranslations('nat.form')
  const label = useTranslations('labels')
  const { draft, errors, change } = form
  const overlapping = useOverlapping(datacenter, draft, network?.id)
  const locked = network && network.ips > 0 && <Locked datacenter={datacenter} network={network} />
  return (
    <Stack gap="l">
      <TextField {...form.field('name')} label={label('name')} autoFocus={!network} required />
      <CidrField
        value={draft.cidr}
        error={errors.cidr ?? (overlapping && <Overlapping datacenter={datacenter} network={overlapping} />)}
        locked={locked}
        onChange={(cidr) => change({ cidr })}
      />
      <DevicePicker
        datacenter={datacenter}
        hint={locked || say('deviceWhat')}
        error={errors.device}
        value={draft.device}
        disabled={Boolean(locked)}
        onChange={(device) => change({ device })}
      />
    </Stack>
  )
}

function Locked({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const say = useTranslations('nat.form')
  return (
    <>
      {say('locked')}{' '}
      <AppLink to={paths.natNetwork(datacenter, network.id, 'ips')}>
        {say('showIps', { count: network.ips })}
      </AppLink>
    </>
  )
}
