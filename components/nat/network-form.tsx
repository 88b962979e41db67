import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import type { SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Conflict } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { LeaveGuard } from '#components/forms/leave-guard'
import { paths } from '#components/paths'
import { AppLink, useFollow } from '#components/screens/app-link'
import type { Tagged } from '#lib/client/resources.queries'
import { linkOf } from '#lib/http/view'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import { CidrField } from './cidr-field'
import { DevicePicker } from './device-picker'
import type { NetworkField } from './network-draft'
import { Overlapping, useOverlapping } from './overlapping'
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
  const say = useTranslations('nat.form')
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
  const inTheWay = useOverlapping(datacenter, draft, current?.document.id)
  const locked = current && current.document.ips > 0 && (
    <Locked datacenter={datacenter} network={current.document} />
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.save()
  }
  return (
    <form onSubmit={submit}>
      <LeaveGuard loses={form.loses} header={say('leave')}>
        {say('leaveText')}
      </LeaveGuard>
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
          {form.conflict && current && <Theirs network={current.document} form={form} />}
          {form.failure && <Failure error={form.failure} />}
          <Container>
            <SpaceBetween size="l">
              <FormField label={say('name')} errorText={errors.name} stretch>
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
                error={
                  errors.cidr ?? (inTheWay && <Overlapping datacenter={datacenter} network={inTheWay} />)
                }
                locked={locked}
                onChange={(value) => change({ cidr: value })}
              />
              <FormField
                label={say('device')}
                description={locked || say('deviceWhat')}
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

/** What somebody else has saved in the meantime. */
function Theirs({ network, form }: { network: NatNetworkDocument; form: ReturnType<typeof useNetworkForm> }) {
  const say = useTranslations('nat.form')
  const none = useTranslations('common')('none')
  return (
    <Conflict
      theirs={[
        { label: say('name'), value: network.name },
        { label: say('cidr'), value: network.cidr },
        { label: say('device'), value: linkOf(network, 'device')?.title ?? none },
      ]}
      isSaving={form.isSaving}
      onKeepMine={form.saveMine}
      onTakeTheirs={form.takeTheirs}
    />
  )
}

function Locked({ datacenter, network }: { datacenter: number; network: NatNetworkDocument }) {
  const say = useTranslations('nat.form')
  return (
    <>
      {say('locked')}{' '}
      <AppLink to={paths.natNetwork(datacenter, network.id, 'ips')} fontSize="inherit">
        {say('showIps', { count: network.ips })}
      </AppLink>
    </>
  )
}

type ActionsProps = {
  datacenter: number
  current: Tagged<NatNetworkDocument> | undefined
  isSaving: boolean
  isBlocked: boolean
}

function Actions({ datacenter, current, isSaving, isBlocked }: ActionsProps) {
  const follow = useFollow()
  const say = useTranslations('nat.form')
  const common = useTranslations('common')
  const back = current ? paths.natNetwork(datacenter, current.document.id) : paths.natNetworks(datacenter)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" formAction="none" href={back} onFollow={follow}>
        {common('cancel')}
      </Button>
      <Button
        variant="primary"
        loading={isSaving}
        loadingText={say('saving')}
        disabled={isBlocked}
        disabledReason={say('decideFirst')}
      >
        {current ? common('save') : say('create')}
      </Button>
    </SpaceBetween>
  )
}
