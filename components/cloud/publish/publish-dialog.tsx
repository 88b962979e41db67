import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure, Waiting } from '#components/base/forms/failure'
import { ResourceDialog } from '#components/base/forms/resource-form'
import { useAction } from '#components/base/forms/use-action'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { CreateInPlace } from '#components/base/in-place/create-in-place'
import { useMissing } from '#components/base/session/session'
import { ResourcePicker } from '#components/cloud/nat/resource-picker'
import { RegisterMachine } from '#components/cloud/nat/rule-parts'
import { Ends } from '#components/cloud/nat/translation'
import { Button } from '#components/kit/button'
import { TextField } from '#components/kit/field'
import { Columns, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Radio } from '#components/kit/radio'
import { Select } from '#components/kit/select'
import { allMachinesPickerQuery } from '#lib/cloud/machines/machines.queries'
import { nameOfMachine, type VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import {
  type PublicAddress,
  type Published,
  publicAddressQuery,
  publishedProtocols,
  usePublish,
  useUnpublish,
} from '#lib/cloud/machines/publish.queries'
import { linkOf } from '#lib/ground/http/view'
import styles from './publish.module.css'
import {
  type PublishDraft,
  type PublishField,
  privateIpOf,
  privateIpsOf,
  problemsOf,
  publicationOf,
  publishNames,
  type Ready,
  readyOf,
  withMachine,
} from './publish-draft'
import { PublishedDialog } from './published-dialog'

type PublishProps = {
  machine?: VirtualMachineDocument
  /** Where a missing machine is registered in place. */
  datacenter?: number
  onClose: () => void
}

/** Makes a port of a machine reachable at a public address. */
export function PublishDialog({ machine, datacenter, onClose }: PublishProps) {
  const [made, setMade] = useState<Published & { ready: Ready; name: string }>()
  return made ? (
    <PublishedDialog {...made} onClose={onClose} />
  ) : (
    <PublishForm machine={machine} datacenter={datacenter} onMade={setMade} onClose={onClose} />
  )
}

type FormProps = {
  machine: VirtualMachineDocument | undefined
  datacenter: number | undefined
  onMade: (made: Published & { ready: Ready; name: string }) => void
  onClose: () => void
}

function usePublishForm({ machine, onMade }: FormProps) {
  const say = useTranslations('publish')
  const publishing = usePublish()
  const first: PublishDraft = { ...withMachine(machine), protocol: 'TCP', port: '', publicPort: '' }
  const [ready, setReady] = useState<Ready>()
  const read = useQuery({
    ...publicAddressQuery({
      center: ready?.center ?? 0,
      isIpv6: ready?.inside.includes(':') ?? false,
      protocol: ready?.protocol ?? 'TCP',
      port: ready?.publicPort ?? 0,
    }),
    enabled: ready !== undefined,
  })
  const address = ready && read.data
  const form = useResourceForm<PublishDraft, never, PublishField, Published>({
    first,
    check: (draft) => ({
      ...Object.fromEntries(
        Object.entries(problemsOf(draft)).map(([field, problem]) => [field, say(problem)]),
      ),
      ...(address === null && { publicPort: say('noneFree') }),
    }),
    names: publishNames,
    save: async ({ draft }) => {
      const now = readyOf(draft)
      if (!now || !address) throw new Error('The public address is not known yet')
      return publishing.mutateAsync(publicationOf(now, address))
    },
    done: ({ ip }, { machine }) => ({
      type: 'success',
      content: say('done', { machine: machine ? nameOfMachine(machine) : '', ip: ip.ip }),
    }),
    onDone: (made) => {
      if (ready) onMade({ ...made, ready, name: form.draft.machine ? nameOfMachine(form.draft.machine) : '' })
    },
  })
  const now = readyOf(form.draft)
  if (JSON.stringify(now) !== JSON.stringify(ready)) setReady(now)
  return { form, read, address, ready, publishing }
}

type State = ReturnType<typeof usePublishForm>

function PublishForm(props: FormProps) {
  const say = useTranslations('publish')
  const state = usePublishForm(props)
  const { form, address, ready, publishing } = state
  const isAsking = ready !== undefined && address === undefined
  return (
    <ResourceDialog
      header={say('title')}
      size="large"
      form={{ ...form, submit: () => !isAsking && form.submit() }}
      label={say('submit')}
      busyLabel={say('busy')}
      onClose={props.onClose}
    >
      <Stack gap="l">
        <div className="quiet">{say('about')}</div>
        <Fields form={form} datacenter={props.datacenter} />
        <Preview {...state} />
        {publishing.isError && publishing.attached.current && ready && (
          <LeftBehind
            ready={ready}
            ip={{ ip: publishing.attached.current, isHeld: false }}
            onReleased={() => {
              publishing.attached.current = undefined
              publishing.reset()
            }}
          />
        )}
      </Stack>
    </ResourceDialog>
  )
}

type FieldsProps = Pick<State, 'form'> & Pick<FormProps, 'datacenter'>

function Fields({ form, datacenter }: FieldsProps) {
  const say = useTranslations('publish')
  const { draft, change, errors } = form
  const label = useTranslations('labels')
  const sayNew = useTranslations('forms.inPlace')
  const mayRegister = useMissing('VDC_MANAGE', 'VDC_MANAGE_VAPP').length === 0
  const ips = draft.machine ? privateIpsOf(draft.machine) : []
  return (
    <>
      <CreateInPlace
        label={sayNew('machine')}
        mayCreate={mayRegister && datacenter !== undefined}
        dialog={(onClose) => (
          <RegisterMachine
            datacenter={datacenter ?? 0}
            onMade={(machine) => change(withMachine(machine))}
            onClose={onClose}
          />
        )}
      >
        <ResourcePicker
          kind="anyMachine"
          label={label('virtualmachine')}
          error={errors.machine}
          value={draft.machine && { id: draft.machine.id, name: nameOfMachine(draft.machine) }}
          pages={allMachinesPickerQuery}
          optionOf={(machine) => ({
            id: machine.id,
            name: nameOfMachine(machine),
            about: [linkOf(machine, 'virtualdatacenter')?.title, linkOf(machine, 'location')?.title]
              .filter(Boolean)
              .join(' · '),
          })}
          onChange={(machine) => change(withMachine(machine))}
        />
      </CreateInPlace>
      {ips.length > 1 && (
        <Select
          label={say('privateIp')}
          error={errors.privateIp}
          value={draft.privateIp}
          options={ips.map(({ href, ip }) => ({ value: href, text: ip }))}
          placeholder={say('choosePrivateIp')}
          required
          onChange={(privateIp) => change({ privateIp })}
        />
      )}
      <Columns count={3}>
        <TextField
          {...form.field('port')}
          label={say('port')}
          hint={say('portHint')}
          inputMode="numeric"
          autoComplete="off"
          required
          onChange={(port) => change({ port: port.trim() })}
        />
        <Radio
          look="row"
          label={label('protocol')}
          error={errors.protocol}
          value={draft.protocol}
          choices={publishedProtocols.map((value) => ({ value, text: value }))}
          onChange={(protocol) => change({ protocol })}
        />
        <TextField
          {...form.field('publicPort')}
          label={say('publicPort')}
          hint={say('publicPortHint')}
          inputMode="numeric"
          autoComplete="off"
          placeholder={draft.port || undefined}
          onChange={(publicPort) => change({ publicPort: publicPort.trim() })}
        />
      </Columns>
    </>
  )
}

/** What will be made: the rule, and the address that is attached for it. */
function Preview({ form: { draft }, read, address, ready }: State) {
  const say = useTranslations('publish')
  if (!ready) return null
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />
  if (address === undefined) return <Waiting read={read} />
  if (address === null) return <Notice kind="warn">{say('noneFree')}</Notice>
  const inside = { address: privateIpOf(draft)?.ip, port: ready.port, isNatIp: false }
  return (
    <div className={styles.preview} aria-live="polite">
      <Ends
        original={{ address: address.ip.ip, port: ready.publicPort, isNatIp: true }}
        translated={inside}
        unknown="…"
      />
      <span className="quiet">
        {say(address.isHeld ? 'held' : 'free', {
          ip: address.ip.ip,
          center: (draft.machine && linkOf(draft.machine, 'virtualdatacenter')?.title) ?? '',
        })}
      </span>
    </div>
  )
}

type LeftProps = { ready: Ready; ip: PublicAddress; onReleased: () => void }

/** The address was attached, and the rule was refused. */
function LeftBehind({ ready, ip: { ip }, onReleased }: LeftProps) {
  const say = useTranslations('publish')
  const releasing = useUnpublish()
  const release = useAction(releasing, {
    done: () => say('released', { ip: ip.ip }),
    onDone: onReleased,
  })
  return (
    <Notice kind="warn" title={say('left', { ip: ip.ip })}>
      <Stack gap="s">
        <span>{say('leftAbout')}</span>
        {releasing.error && <Failure error={releasing.error} />}
        <div>
          <Button
            busy={releasing.isPending}
            busyText={say('busy')}
            onPress={() => release({ ...ready, release: ip })}
          >
            {say('release', { ip: ip.ip })}
          </Button>
        </div>
      </Stack>
    </Notice>
  )
}
