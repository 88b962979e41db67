import type { ReactNode } from 'react'
import {
  DeclaredFields,
  type DeclaredForm,
  type DraftOf,
  type SentBy,
  type Table,
  useDeclaredForm,
} from '#components/base/forms/declared-form'
import { ResourceDialog } from '#components/base/forms/resource-form'

export type MadeProps<Made> = { onMade: (made: Made) => void; onClose: () => void }

type CreateDialogProps<T extends Table, Made> = MadeProps<Made> & {
  form: DeclaredForm<T>
  /** Also the button. */
  title: string
  first?: Partial<DraftOf<T>>
  save: (sent: SentBy<T>) => Promise<Made>
  done: (made: Made) => string
  children?: ReactNode
}

/** Creates a resource over another form, which goes on with it. */
export function CreateDialog<T extends Table, Made>(props: CreateDialogProps<T, Made>) {
  const { form: declared, title, first = {}, save, done, onMade, onClose, children } = props
  const form = useDeclaredForm(declared, {
    first,
    save: ({ draft }) => save(draft),
    done,
    onDone: (made) => {
      onMade(made)
      onClose()
    },
  })
  return (
    <ResourceDialog header={title} form={form} onClose={onClose}>
      <DeclaredFields of={declared} form={form} inDialog />
      {children}
    </ResourceDialog>
  )
}
