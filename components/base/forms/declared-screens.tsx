import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { type Brief, DeclaredCards, DeclaredFields } from './declared-fields'
import { type DeclaredForm, type FormOptions, type Table, useDeclaredForm } from './declared-form'
import { ResourceDialog, ResourceForm, type ResourceFormProps } from './resource-form'

/* A declared form as a whole, on a page or in a dialog. */

type Declared<T extends Table, Document, Saved> = Omit<FormOptions<T, Document, Saved>, 'onDone'> & {
  of: DeclaredForm<T>
}

type State<T extends Table, Document extends object, Saved> = ReturnType<
  typeof useDeclaredForm<T, Document, Saved>
>

export type FormOnPageProps<T extends Table, Document extends object, Saved> = Declared<T, Document, Saved> &
  Pick<ResourceFormProps, 'label' | 'busyLabel' | 'leave' | 'back'> & {
    /** The page of what was saved. A form that creates leads to it. */
    href: (saved: NoInfer<Saved>) => string
    /** Whether the page of what was made takes the place of the form in the history. */
    replaces?: boolean
    /** Instead of the way to what was saved. */
    onDone?: (saved: NoInfer<Saved>) => void
    notice?: ReactNode
    brief?: Brief<T> | undefined
    below?: (form: State<T, Document, Saved>) => ReactNode
  }

export function FormOnPage<T extends Table, Document extends object, Saved = Document>(
  props: FormOnPageProps<T, Document, Saved>,
) {
  const {
    of,
    label,
    busyLabel,
    leave,
    back,
    href,
    replaces = false,
    notice,
    brief,
    below,
    ...options
  } = props
  const navigate = useNavigate()
  const onDone = (saved: Saved) => void navigate(href(saved), { replace: replaces })
  const form = useDeclaredForm(of, { onDone, ...options })
  return (
    <ResourceForm form={form} label={label} busyLabel={busyLabel} leave={leave} back={back}>
      {notice}
      <DeclaredCards of={of} form={form} brief={brief} />
      {below?.(form)}
    </ResourceForm>
  )
}

export type MadeProps<Made> = { onMade?: (made: Made) => void; onClose: () => void }

type FormInDialogProps<T extends Table, Document extends object, Saved> = Declared<T, Document, Saved> &
  MadeProps<Saved> & {
    /** Also the button that creates. */
    title: string
    children?: ReactNode
  }

export function FormInDialog<T extends Table, Document extends object, Saved = Document>(
  props: FormInDialogProps<T, Document, Saved>,
) {
  const { of, title, onMade, onClose, children, ...options } = props
  const form = useDeclaredForm(of, {
    ...options,
    onDone: (saved) => {
      onMade?.(saved)
      onClose()
    },
  })
  return (
    <ResourceDialog header={title} form={form} onClose={onClose}>
      <DeclaredFields of={of} form={form} inDialog />
      {children}
    </ResourceDialog>
  )
}
