import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import type { SelectProps } from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Conflict, isConflict, isStaleWrite } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { type FieldErrors, faultsByField, fieldNamedIn } from '#components/forms/form-faults'
import { useIds } from '#components/forms/ids'
import { LeaveGuard } from '#components/forms/leave-guard'
import { Page } from '#components/layout/page'
import { AppLink, useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import type { ApiFault } from '#lib/client/api'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { idOfLink, linkOf } from '#lib/http/view'
import { natNetworkBody, natNetworkQuery, useSaveNatNetwork } from '#lib/nat/networks.queries'
import { type NatNetworkDocument, natNetworkInput } from '#lib/nat/networks.schema'
import { CidrField, Overlapping, useOverlapping } from './cidr-field'
import { type ChosenDevice, DevicePicker } from './resource-picker'
import { useDatacenter } from './use-datacenter'

const readable = 720

export function Component() {
  const { datacenter, network } = useIds()
  return network === 0 ? (
    <NewNetwork datacenter={datacenter} />
  ) : (
    <EditNetwork key={`${datacenter}/${network}`} datacenter={datacenter} network={network} />
  )
}

function NewNetwork({ datacenter }: { datacenter: number }) {
  const say = useTranslations('nat')
  const { name, crumbs } = useDatacenter(datacenter)
  return (
    <Page
      title={say('form.createTitle')}
      description={say('form.in', { datacenter: name })}
      breadcrumbs={[...crumbs, { text: say('networks.title'), href: paths.natNetworks(datacenter) }]}
      maxContentWidth={readable}
    >
      <NetworkForm datacenter={datacenter} />
    </Page>
  )
}

function EditNetwork({ datacenter, network }: { datacenter: number; network: number }) {
  const say = useTranslations('nat')
  const { crumbs } = useDatacenter(datacenter)
  const read = useFresh(natNetworkQuery(datacenter, network))
  const name = read.data?.document.name ?? say('network.numbered', { id: String(network) })
  return (
    <Page
      title={say('form.editTitle', { name })}
      breadcrumbs={[
        ...crumbs,
        { text: say('networks.title'), href: paths.natNetworks(datacenter) },
        { text: name, href: paths.natNetwork(datacenter, network) },
      ]}
      maxContentWidth={readable}
    >
      {read.data ? (
        <NetworkForm
          datacenter={datacenter}
          current={read.data}
          refresh={async () => (await read.refetch()).data}
        />
      ) : (
        <Container>
          {read.isError ? (
            <Failure error={read.error} retry={() => void read.refetch()} />
          ) : (
            <Spinner size="large" />
          )}
        </Container>
      )}
    </Page>
  )
}

type NetworkFormProps = {
  datacenter: number
  /** The newest that is known of the network to change. */
  current?: Tagged<NatNetworkDocument>
  /** Reads it anew. */
  refresh?: () => Promise<Tagged<NatNetworkDocument> | undefined>
}

const nothingToRead = () => Promise.resolve(undefined)

/** Creates a NAT network, or changes one. */
function NetworkForm({ datacenter, current, refresh = nothingToRead }: NetworkFormProps) {
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
      <LeaveGuard loses={form.loses} />
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
  const forms = useTranslations('forms')
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
        loadingText={forms('saving')}
        disabled={isBlocked}
        disabledReason={forms('decideFirst')}
      >
        {current ? common('save') : say('create')}
      </Button>
    </SpaceBetween>
  )
}

type Known = Tagged<NatNetworkDocument> | undefined

type Options = {
  datacenter: number
  /** The newest that is known of the network to change. */
  current: Known
  /** Reads it anew. */
  refresh: () => Promise<Known>
  onSaved: (id: number) => void
  /** Called with the first field that is wrong. */
  onRefused: (field: NetworkField) => void
}

const fields: readonly NetworkField[] = ['name', 'cidr', 'device']

const firstOf = (errors: FieldErrors<NetworkField>): NetworkField | undefined =>
  fields.find((field) => errors[field])

/** The state of the form of a NAT network. What is typed builds on `base`; `current` may be newer. */
function useNetworkForm({ datacenter, current, refresh, onSaved, onRefused }: Options) {
  const say = useTranslations('nat.form')
  const mutation = useSaveNatNetwork(datacenter)
  const notify = useFlash()
  const [base, setBase] = useState(current)
  const [draft, setDraft] = useState(draftOf(current?.document))
  const [wasSent, setWasSent] = useState(false)
  const isSaved = useRef(false)
  const conflict = isConflict(mutation.error, base, current)
  const refused = faultsByField(mutation.error, fieldOfFault)
  const errors: FieldErrors<NetworkField> = { ...refused.fields }
  const { problems } = checkDraft(draft, base?.document)
  if (wasSent) for (const field of fields) if (problems[field]) errors[field] = say(problems[field])

  const send = (target: Known, tries = 1) => {
    setBase(target)
    mutation.mutate(
      { body: checkDraft(draft, target?.document).body, ...(target && { current: target }) },
      {
        onSuccess: ({ id, name }) => {
          isSaved.current = true
          notify({ type: 'success', content: say('saved', { name }) })
          onSaved(id)
        },
        onError: (error) => {
          if (isStaleWrite(error)) void refresh().then((newest) => resume(target, newest, tries))
          const field = firstOf(faultsByField(error, fieldOfFault).fields)
          if (field) onRefused(field)
        },
      },
    )
  }
  // The totals of a network are in its document: an IP that was attached meanwhile is no reason to ask the user.
  const resume = (sent: Known, newest: Known, tries: number) => {
    const isUntouched = newest && isSameDraft(draftOf(newest.document), draftOf(sent?.document))
    if (isUntouched && tries < 3) send(newest, tries + 1)
  }

  const saveOver = (target: Known) => {
    if (mutation.isPending) return
    setWasSent(true)
    const wrong = firstOf(checkDraft(draft, target?.document).problems)
    if (wrong) onRefused(wrong)
    else send(target)
  }

  return {
    draft,
    errors,
    conflict,
    failure: conflict ? undefined : refused.rest,
    isSaving: mutation.isPending,
    /** Leaving now would lose what was typed. */
    loses: () => !isSaved.current && !isSameDraft(draft, draftOf(base?.document)),
    change: (changes: Partial<NetworkDraft>) => {
      setDraft({ ...draft, ...changes })
      if (!conflict) mutation.reset()
    },
    save: () => saveOver(base),
    saveMine: () => saveOver(current),
    takeTheirs: () => {
      setBase(current)
      setDraft(draftOf(current?.document))
      mutation.reset()
    },
  }
}

type NetworkField = 'name' | 'cidr' | 'device'

/** What the form of a NAT network holds. */
export type NetworkDraft = { name: string; cidr: string; device: ChosenDevice | undefined }

function draftOf(network: NatNetworkDocument | undefined): NetworkDraft {
  const device = network && linkOf(network, 'device')
  return {
    name: network?.name ?? '',
    cidr: network?.cidr ?? '',
    device: device && { href: device.href, name: device.title ?? String(idOfLink(device)) },
  }
}

const isSameDraft = (one: NetworkDraft, other: NetworkDraft): boolean =>
  one.name === other.name && one.cidr === other.cidr && one.device?.href === other.device?.href

/** What is wrong before anything is sent. */
type NetworkProblem = 'nameMissing' | 'nameTooLong' | 'cidrMissing' | 'cidrWrong' | 'deviceMissing'

/** The document to send, or what is wrong at which field. */
function checkDraft(draft: NetworkDraft, current: NatNetworkDocument | undefined) {
  const [name, cidr] = [draft.name.trim(), draft.cidr.trim()]
  const body = natNetworkBody({ name, cidr, device: draft.device?.href }, current)
  const { error } = natNetworkInput.safeParse(body)
  const refused = new Set(error?.issues.map(({ path }) => path[0]))
  const problems: Partial<Record<NetworkField, NetworkProblem>> = {
    ...(refused.has('name') && { name: name === '' ? 'nameMissing' : 'nameTooLong' }),
    ...(refused.has('cidr') && { cidr: cidr === '' ? 'cidrMissing' : 'cidrWrong' }),
    ...(!draft.device && { device: 'deviceMissing' }),
  }
  return { body, problems }
}

const fieldOfCode: Record<string, NetworkField> = {
  'NAT-NET-0': 'name',
  'NAT-NET-2': 'device',
  'NAT-NET-3': 'device',
  'NETDEVICE-1': 'device',
  'GEN-6': 'device',
  'NAT-NET-5': 'cidr',
  'NAT-NET-6': 'cidr',
}

const fieldOfFault = (fault: ApiFault): NetworkField | undefined =>
  fieldOfCode[fault.code] ?? fieldNamedIn<NetworkField>(fault, ['name', 'cidr'])
