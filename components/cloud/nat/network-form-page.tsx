import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { DeclaredFields } from '#components/base/forms/declared-fields'
import {
  type FieldKind,
  type InputProps,
  resourceForm,
  useDeclaredForm,
} from '#components/base/forms/declared-form'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { useDatacenterId, useIds } from '#components/base/forms/ids'
import { noteFields } from '#components/base/forms/note-fields'
import { ResourceDialog, ResourceForm } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ResourcePage } from '#components/frame/layout/resource-page'
import { Button } from '#components/kit/button'
import { Card } from '#components/kit/layout'
import { natNetworkQuery, useSaveNatNetwork } from '#lib/cloud/nat/networks.queries'
import { type NatNetworkDocument, natNetworkInput } from '#lib/cloud/nat/networks.schema'
import { type LinkDocument, linkOf, type Named } from '#lib/ground/http/view'
import { CidrField, Overlapping, useOverlapping } from './cidr-field'
import { InDatacenter } from './datacenter-field'
import { type ChosenDevice, DevicePicker } from './resource-picker'
import { datacenterOf, useDatacenter } from './use-datacenter'

type Beside = { datacenter: Named | undefined; cidr: string; device: ChosenDevice | undefined }

const range: FieldKind<string, string, Beside, NatNetworkDocument> = {
  ...textLine(),
  Input: CidrInput,
}

/** A device is sent by its address, which has its datacenter. */
const natDevice: FieldKind<ChosenDevice | undefined, string | undefined, Beside, NatNetworkDocument> = {
  Input: DeviceInput,
  empty: undefined,
  read: (network: { links: readonly LinkDocument[] }) => {
    const link = linkOf(network, 'device')
    return link && { href: link.href, name: link.title ?? '' }
  },
  send: (device) => device?.href,
  Text: ({ value }) => value?.name,
}

/** `InDatacenter` shows the datacenter, before the fields that depend on it. */
const networkForm = resourceForm(natNetworkInput, {
  datacenter: { as: { ...linked, Input: () => null }, label: 'datacenter', missing: 'datacenterMissing' },
  name: { as: textLine(), label: 'name' },
  cidr: { as: range, label: 'cidr', missing: 'nat.form.cidrMissing', wrong: 'nat.form.cidrWrong' },
  device: { as: natDevice, label: 'device', missing: 'nat.form.deviceMissing' },
  ...noteFields,
})

const inDatacenter = ['name', 'cidr', 'device', 'description', 'tags'] as const

/** Without a datacenter in the address, the form asks for it first. */
export function Component() {
  const say = useTranslations('nat')
  const { datacenter, network } = useIds()
  const chosen = useDatacenterId()
  const { name, natCrumbs } = useDatacenter(chosen)
  return (
    <ResourcePage
      id={network}
      query={(id) => natNetworkQuery(datacenter, id)}
      above={natCrumbs}
      create={say('form.createTitle')}
      about={chosen === undefined ? undefined : say('form.in', { datacenter: name })}
      edit={(network) => say('form.editTitle', { name: network })}
      nameOf={(document) => document?.name ?? say('network.numbered', { id: String(network) })}
      href={(id) => paths.natNetwork(datacenter, id)}
    >
      {(read) => <NetworkForm datacenter={chosen} read={read} />}
    </ResourcePage>
  )
}

type NetworkFormProps = {
  /** If absent, the user chooses one. */
  datacenter: number | undefined
  /** The network to change; absent for a new one. */
  read?: Read<NatNetworkDocument> | undefined
  /** The device that a new network begins with. */
  device?: ChosenDevice | undefined
}

type NetworkFormOptions = NetworkFormProps & { onDone: (network: NatNetworkDocument) => void }

function useNetworkForm({ datacenter, read, device, onDone }: NetworkFormOptions) {
  const say = useTranslations('nat.form')
  return useDeclaredForm(networkForm, {
    read,
    first: { device, datacenter: datacenter === undefined ? undefined : { id: datacenter, name: '' } },
    save: useSaveNatNetwork().mutateAsync,
    done: ({ name }) => say('saved', { name }),
    onDone,
  })
}

function NetworkForm({ datacenter, read }: NetworkFormProps) {
  const label = useTranslations('labels')
  const navigate = useNavigate()
  const form = useNetworkForm({
    datacenter,
    read,
    onDone: (made) => void navigate(paths.natNetwork(datacenterOf(made), made.id)),
  })
  const network = form.saved
  return (
    <ResourceForm
      form={form}
      back={network ? paths.natNetwork(datacenterOf(network), network.id) : paths.natNetworks(datacenter)}
      label={label('createNetwork')}
    >
      <Card>
        <NetworkFields datacenter={datacenter} form={form} />
      </Card>
    </ResourceForm>
  )
}

type NewNetworkDialogProps = Omit<NetworkFormProps, 'read'> & {
  onMade?: (network: NatNetworkDocument) => void
  /** Offers the import of a file instead. */
  onImport?: (() => void) | undefined
  onClose: () => void
}

/** Creates a network over another form. */
export function NewNetworkDialog({ datacenter, device, onMade, onImport, onClose }: NewNetworkDialogProps) {
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
      <NetworkFields datacenter={datacenter} form={form} />
      {onImport && (
        <div>
          {say('orImport')}{' '}
          <Button look="link" onPress={onImport}>
            {say('import')}
          </Button>
        </div>
      )}
    </ResourceDialog>
  )
}

type NetworkFieldsProps = { datacenter: number | undefined; form: ReturnType<typeof useNetworkForm> }

const NetworkFields = ({ datacenter, form }: NetworkFieldsProps) => (
  <InDatacenter
    given={datacenter}
    value={form.draft.datacenter}
    error={form.errors.datacenter}
    onChange={(chosen) => form.change({ datacenter: chosen, device: undefined })}
  >
    {() => <DeclaredFields of={networkForm} names={inDatacenter} form={form} inDialog={!form.saved} />}
  </InDatacenter>
)

type NetworkInputProps<Value> = InputProps<Value, Beside, NatNetworkDocument>

function CidrInput({ value, error, form: { draft, saved }, onChange }: NetworkInputProps<string>) {
  const datacenter = draft.datacenter?.id ?? 0
  const overlapping = useOverlapping(datacenter, draft, saved?.id)
  return (
    <CidrField
      value={value}
      error={error ?? (overlapping && <Overlapping datacenter={datacenter} network={overlapping} />)}
      locked={saved && saved.ips > 0 && <Locked network={saved} />}
      takesExample={!saved}
      onChange={onChange}
    />
  )
}

function DeviceInput({ value, error, form, onChange }: NetworkInputProps<ChosenDevice | undefined>) {
  const say = useTranslations('nat.form')
  const { draft, saved } = form
  const locked = saved && saved.ips > 0 && <Locked network={saved} />
  return (
    <DevicePicker
      datacenter={draft.datacenter?.id ?? 0}
      hint={locked || say('deviceWhat')}
      error={error}
      value={value}
      disabled={Boolean(locked)}
      onChange={onChange}
    />
  )
}

function Locked({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('nat.form')
  return (
    <>
      {say('locked')}{' '}
      <AppLink to={paths.natNetwork(datacenterOf(network), network.id, 'ips')}>
        {say('showIps', { count: network.ips })}
      </AppLink>
    </>
  )
}
