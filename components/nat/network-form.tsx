import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import type { SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Conflict } from '#components/datacenters/conflict'
import { AppLink, useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { paths } from '#components/paths'
import { linkOf } from '#lib/http/view'
import type { Tagged } from '#lib/infrastructure/resources.queries'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { CidrField } from './cidr-field'
import { DevicePicker } from './device-picker'
import type { NetworkField } from './network-draft'
import { useNetworkForm } from './use-network-form'

type NetworkFormProps = {
  datacenter: number
  /** The newest that is known of the network to change. */
  current?: Tagged<NatNetworkDocument>
  /** Reads it anew. */
  refresh?: () => Promise<Tagged<NatNetworkDocument> | undefined>
}

const nothingToRead = () => Promise.resolve(undefined)

/** Creates a NAT network, or changes one. */
export function NetworkForm({ datacenter, current, refresh = nothingToRead }: NetworkFormProps) {
  const navigate = useNavigate()
  const name = useRef<InputProps.Ref>(null)
  const cidr = useRef<InputProps.Ref>(null)
  const device = useRef<SelectProps.Ref>(null)
  const form = useNetworkForm({
    datacenter,
    current,
    refresh,
    onSaved: (id) => void navigate(paths.natNetwork(datacenter, id)),
    onRefused: (field) => fieldRefs[field].current?.focus(),
  })
  const fieldRefs: Record<NetworkField, { current: { focus: () => void } | null }> = { name, cidr, device }
  const { draft, errors, change } = form
  const locked = current && current.document.ips > 0 && (
    <Locked datacenter={datacenter} network={current.document} />
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.save()
  }
  return (
    <form onSubmit={submit}>
      <Form
        actions={
          <Actions
            datacenter={datacenter}
            current={current}
            isSaving={form.isSaving}
            isBlocked={form.conflict}
          />
        }
      >
        <SpaceBetween size="l">
          {form.conflict && current && (
            <Conflict
              what="NAT network"
              theirs={theirFacts(current.document)}
              isSaving={form.isSaving}
              onKeepMine={form.saveMine}
              onTakeTheirs={form.takeTheirs}
            />
          )}
          {form.failure && <Failure error={form.failure} />}
          <Container>
            <SpaceBetween size="l">
              <FormField label="Name" errorText={errors.name} stretch>
                <Input
                  ref={name}
                  value={draft.name}
                  ariaRequired
                  onChange={({ detail }) => change({ name: detail.value })}
                />
              </FormField>
              <CidrField
                ref={cidr}
                value={draft.cidr}
                error={errors.cidr}
                locked={locked}
                onChange={(value) => change({ cidr: value })}
              />
              <FormField
                label="Device"
                description={locked || 'The network device that translates the addresses.'}
                errorText={errors.device}
                stretch
              >
                <DevicePicker
                  ref={device}
                  datacenter={datacenter}
                  value={draft.device}
                  disabled={Boolean(locked)}
                  onChange={(value) => change({ device: value })}
                />
              </FormField>
            </SpaceBetween>
          </Container>
        </SpaceBetween>
      </Form>
    </form>
  )
}

const theirFacts = (network: NatNetworkDocument) => [
  { label: 'Name', value: network.name },
  { label: 'CIDR', value: network.cidr },
  { label: 'Device', value: linkOf(network, 'device')?.title ?? '–' },
]

const Locked = ({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }): ReactNode => (
  <>
    It can change once the network has no IPs.{' '}
    <AppLink to={paths.natNetwork(datacenter, network.id, 'ips')} fontSize="inherit">
      {network.ips === 1 ? 'Show its 1 IP' : `Show its ${network.ips.toLocaleString()} IPs`}
    </AppLink>
  </>
)

type ActionsProps = {
  datacenter: number
  current: Tagged<NatNetworkDocument> | undefined
  isSaving: boolean
  isBlocked: boolean
}

function Actions({ datacenter, current, isSaving, isBlocked }: ActionsProps) {
  const follow = useFollow()
  const back = current ? paths.natNetwork(datacenter, current.document.id) : paths.natNetworks(datacenter)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" href={back} onFollow={follow}>
        Cancel
      </Button>
      <Button
        variant="primary"
        loading={isSaving}
        loadingText="Saving"
        disabled={isBlocked}
        disabledReason="Decide first whose version is to stay."
      >
        {current ? 'Save' : 'Create network'}
      </Button>
    </SpaceBetween>
  )
}
