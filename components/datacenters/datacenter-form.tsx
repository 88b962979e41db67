import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useTranslations } from 'use-intl'
import { Conflict } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { fieldNamedIn, textFaults } from '#components/forms/form-faults'
import { useResourceForm } from '#components/forms/use-resource-form'
import type { ApiFault } from '#lib/client/api'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { datacenterQuery, useSaveDatacenter } from '#lib/infrastructure/datacenters.queries'
import {
  type DatacenterDocument,
  type DatacenterInput,
  datacenterInput,
} from '#lib/infrastructure/datacenters.schema'
import { FormDialog, LoadingDialog } from './form-dialog'

const fields = ['name', 'location'] as const
type Field = (typeof fields)[number]

const fieldOf = (fault: ApiFault): Field | undefined =>
  fault.code === 'DC-3' ? 'name' : fieldNamedIn(fault, fields)

export function NewDatacenter({ onClose }: { onClose: () => void }) {
  const say = useTranslations('datacenters.form')
  return <DatacenterForm title={say('createTitle')} onClose={onClose} />
}

export function EditDatacenter({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useTranslations('datacenters.form')
  const read = useFresh(datacenterQuery(id))
  if (!read.data) return <LoadingDialog title={say('editTitle')} read={read} onClose={onClose} />
  return (
    <DatacenterForm title={say('editTitle')} current={read.data} refresh={read.refetch} onClose={onClose} />
  )
}

type DatacenterFormProps = {
  title: string
  /** The newest that is known of the datacenter to change. */
  current?: Tagged<DatacenterDocument>
  refresh?: () => Promise<unknown>
  onClose: () => void
}

const draftOf = ({ name, location }: DatacenterInput): DatacenterInput => ({ name, location })
const nothingToRead = () => Promise.resolve()

function DatacenterForm({ title, current, refresh = nothingToRead, onClose }: DatacenterFormProps) {
  const notify = useFlash()
  const say = useTranslations('datacenters.form')
  const sayFault = useTranslations('datacenters.faults')
  const form = useResourceForm<DatacenterInput, DatacenterDocument, Field>({
    first: draftOf(current?.document ?? { name: '', location: '' }),
    current,
    refresh,
    draftOf,
    check: ({ name, location }) => textFaults(sayFault, datacenterInput, { name: name.trim(), location }),
    fieldOf,
    save: useSaveDatacenter().mutateAsync,
    onSaved: ({ name }) => {
      notify({ type: 'success', content: say('saved', { name }) })
      onClose()
    },
  })
  const { draft, errors, change } = form
  return (
    <FormDialog
      ref={form.ref}
      title={title}
      isSaving={form.isSaving}
      isBlocked={form.conflict}
      loses={form.loses}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {form.conflict && current && (
        <Conflict
          theirs={[
            { label: say('name'), value: current.document.name },
            { label: say('location'), value: current.document.location || '–' },
          ]}
          isSaving={form.isSaving}
          onKeepMine={form.saveMine}
          onTakeTheirs={form.takeTheirs}
        />
      )}
      {form.failure && <Failure error={form.failure} />}
      <FormField label={say('name')} errorText={errors.name} stretch>
        <Input
          value={draft.name}
          autoFocus
          ariaRequired
          onChange={({ detail }) => change({ name: detail.value })}
        />
      </FormField>
      <FormField
        label={say.rich('locationOptional', { i: (inside) => <i>{inside}</i> })}
        constraintText={say('locationRule')}
        errorText={errors.location}
        stretch
      >
        <Input value={draft.location} onChange={({ detail }) => change({ location: detail.value })} />
      </FormField>
    </FormDialog>
  )
}
