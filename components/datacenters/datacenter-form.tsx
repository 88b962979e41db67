import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Failure } from '#components/layout/failure'
import { useFlash } from '#components/layout/flash'
import type { ApiFault } from '#lib/client/api'
import { datacenterQuery, useSaveDatacenter } from '#lib/infrastructure/datacenters.queries'
import {
  type DatacenterDocument,
  type DatacenterInput,
  datacenterInput,
} from '#lib/infrastructure/datacenters.schema'
import type { Tagged } from '#lib/infrastructure/resources.queries'
import { Conflict, isConflict, isStaleWrite } from './conflict'
import { faultsByField, fieldNamedIn, issuesByField } from './form-faults'

const fields = ['name', 'location'] as const

const labels = {
  name: { field: 'name', label: 'The name' },
  location: { field: 'location', label: 'The location' },
} as const

const fieldOf = (fault: ApiFault) => (fault.code === 'DC-3' ? 'name' : fieldNamedIn(fault, fields))

export const NewDatacenter = ({ onClose }: { onClose: () => void }) => (
  <DatacenterForm title="Create datacenter" onClose={onClose} />
)

export function EditDatacenter({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useQuery(datacenterQuery(id))
  const title = 'Edit datacenter'
  if (read.data) {
    return (
      <DatacenterForm
        title={title}
        current={read.data}
        onStale={() => void read.refetch()}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {read.isError ? (
        <Failure error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Spinner size="large" />
      )}
    </Dialog>
  )
}

type DatacenterFormProps = {
  title: string
  /** The newest that is known of the datacenter to change. */
  current?: Tagged<DatacenterDocument>
  onStale?: () => void
  onClose: () => void
}

const draftOf = ({ name, location }: DatacenterInput): DatacenterInput => ({ name, location })

function DatacenterForm({ title, current, onStale, onClose }: DatacenterFormProps) {
  const formId = useId()
  const notify = useFlash()
  const save = useSaveDatacenter()
  const [base, setBase] = useState(current)
  const [draft, setDraft] = useState(draftOf(current?.document ?? { name: '', location: '' }))
  const [wasSent, setWasSent] = useState(false)
  const parsed = datacenterInput.safeParse({ ...draft, name: draft.name.trim() })
  const conflict = isConflict(save.error, base, current)
  const refused = faultsByField(save.error, fieldOf)
  const errors = { ...refused.fields, ...(wasSent && issuesByField(parsed.error, labels)) }

  const change = (changes: Partial<DatacenterInput>) => {
    setDraft({ ...draft, ...changes })
    if (!conflict) save.reset()
  }
  const saveOver = (target: Tagged<DatacenterDocument> | undefined) => {
    setWasSent(true)
    if (!parsed.success || save.isPending) return
    setBase(target)
    save.mutate(
      { input: parsed.data, ...(target && { current: target }) },
      {
        onSuccess: ({ name }) => {
          notify({ type: 'success', content: `The datacenter ${name} is saved.` })
          onClose()
        },
        onError: (error) => isStaleWrite(error) && onStale?.(),
      },
    )
  }
  const takeTheirs = () => {
    if (!current) return
    setBase(current)
    setDraft(draftOf(current.document))
    save.reset()
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      action={
        <Button
          variant="primary"
          form={formId}
          loading={save.isPending}
          loadingText="Saving"
          disabled={conflict}
        >
          Save
        </Button>
      }
    >
      <form
        id={formId}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          saveOver(base)
        }}
      >
        <SpaceBetween size="l">
          {conflict && current && (
            <Conflict
              what="datacenter"
              theirs={[
                { label: 'Name', value: current.document.name },
                { label: 'Location', value: current.document.location || '–' },
              ]}
              isSaving={save.isPending}
              onKeepMine={() => saveOver(current)}
              onTakeTheirs={takeTheirs}
            />
          )}
          {!conflict && refused.rest && <Failure error={refused.rest} />}
          <FormField label="Name" errorText={errors.name} stretch>
            <Input
              value={draft.name}
              autoFocus
              ariaRequired
              onChange={({ detail }) => change({ name: detail.value })}
            />
          </FormField>
          <FormField
            label={
              <>
                Location <i>– optional</i>
              </>
            }
            constraintText="Where it stands, for example Madrid."
            errorText={errors.location}
            stretch
          >
            <Input value={draft.location} onChange={({ detail }) => change({ location: detail.value })} />
          </FormField>
        </SpaceBetween>
      </form>
    </Dialog>
  )
}

type DialogProps = { title: string; action?: ReactNode; children: ReactNode; onClose: () => void }

const Dialog = ({ title, action, children, onClose }: DialogProps) => (
  <Modal
    visible
    header={title}
    closeAriaLabel="Close"
    onDismiss={onClose}
    footer={
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onClose}>
            Cancel
          </Button>
          {action}
        </SpaceBetween>
      </Box>
    }
  >
    {children}
  </Modal>
)
