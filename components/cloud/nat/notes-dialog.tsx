import { z } from 'zod'
import { resourceForm } from '#components/base/forms/declared-form'
import { FormInDialog } from '#components/base/forms/declared-screens'
import { noteFields } from '#components/base/forms/note-fields'
import { LoadingDialog } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { type Noted, noted } from '#lib/caller/kinds/notes.schema'
import type { Tagged } from '#lib/client/resources.queries'

const notesForm = resourceForm(z.object(noted), noteFields)

type NotesDialogProps<Document> = {
  title: string
  read: Read<Document> & Parameters<typeof LoadingDialog>[0]['read']
  save: (sent: { draft: Noted; current: Tagged<Document> }) => Promise<Document>
  done: (saved: Document) => string
  onClose: () => void
}

/** Changes the description and the tags of a NAT IP or a NAT rule. */
export function NotesDialog<Document extends Noted>(props: NotesDialogProps<Document>) {
  const { title, read, save, done, onClose } = props
  if (!read.data) return <LoadingDialog header={title} read={read} onClose={onClose} />
  return (
    <FormInDialog
      of={notesForm}
      title={title}
      read={read}
      save={async ({ draft, current }) => {
        if (!current) throw new Error('A resource is saved before it is read')
        return save({ draft, current })
      }}
      done={done}
      onClose={onClose}
    />
  )
}
