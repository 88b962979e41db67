import Button from '@cloudscape-design/components/button'
import type { ModalProps } from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AppButton } from '#components/screens/app-link'
import { Conflict } from './conflict'
import { Dialog } from './dialog'
import { Failure, Waiting } from './failure'
import { FormActions } from './form-actions'
import { FormDialog } from './form-dialog'
import { LeaveGuard } from './leave-guard'
import type { ResourceFormState } from './use-resource-form'

type Facts = readonly { label: string; value: string }[]

type Shared<Document> = {
  form: ResourceFormState<Document>
  /** What is saved now, shown where somebody else has changed it meanwhile. */
  theirs?: (document: Document) => Facts
  /** The button that submits; "Save" if absent. */
  label?: string | undefined
  busyLabel?: string
  children: ReactNode
}

type ResourceFormProps<Document> = Shared<Document> & {
  /** The screen that "Cancel" leads to. */
  back: string
  /** The question before leaving; "Leave without saving?" if absent. */
  leave?: { header: string; text: string }
}

/** A form of `useResourceForm` that has a page of its own. */
export function ResourceForm<Document>(props: ResourceFormProps<Document>) {
  const { form, label, busyLabel, back, leave } = props
  const say = useTranslations('forms')
  const sayCommon = useTranslations('common')
  return (
    <form
      ref={form.ref}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
      noValidate
    >
      <SpaceBetween size="l">
        <Problems {...props} />
        {props.children}
      </SpaceBetween>
      <FormActions>
        <AppButton variant="link" formAction="none" to={back}>
          {sayCommon('cancel')}
        </AppButton>
        <Button
          variant="primary"
          loading={form.isSaving}
          loadingText={busyLabel ?? say('saving')}
          disabled={form.conflict}
          disabledReason={say('decideFirst')}
        >
          {label ?? sayCommon('save')}
        </Button>
      </FormActions>
      <LeaveGuard loses={form.loses} {...(leave && { header: leave.header })}>
        {leave?.text}
      </LeaveGuard>
    </form>
  )
}

type ResourceDialogProps<Document> = Shared<Document> & {
  header: string
  size?: ModalProps.Size
  canClose?: boolean
  onClose: () => void
}

/** The same in a dialog. */
export function ResourceDialog<Document>(props: ResourceDialogProps<Document>) {
  const { form, header, label, busyLabel, size = 'medium', canClose = true, onClose } = props
  const say = useTranslations('forms')
  const sayCommon = useTranslations('common')
  return (
    <FormDialog
      ref={form.ref}
      header={header}
      size={size}
      submit={{
        label: label ?? sayCommon('save'),
        busyLabel: busyLabel ?? say('saving'),
        isBusy: form.isSaving,
        isDisabled: form.conflict,
        disabledReason: say('decideFirst'),
      }}
      canClose={canClose}
      loses={form.loses}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Problems {...props} />
      {props.children}
    </FormDialog>
  )
}

/** The conflict or the failure that belongs to no field. */
function Problems<Document>({ form, theirs }: Pick<Shared<Document>, 'form' | 'theirs'>) {
  if (form.conflict && form.current && theirs)
    return (
      <Conflict
        theirs={theirs(form.current.document)}
        isSaving={form.isSaving}
        onKeepMine={form.saveMine}
        onTakeTheirs={form.takeTheirs}
      />
    )
  return form.failure ? <Failure error={form.failure} /> : null
}

type LoadingDialogProps = {
  header: string
  read: { error: Error | null; refetch: () => Promise<unknown> }
  onClose: () => void
}

/** In place of a `ResourceDialog` whose resource is loading, or failed to load. */
export function LoadingDialog({ header, read, onClose }: LoadingDialogProps) {
  const say = useTranslations('common')
  return (
    <Dialog
      header={header}
      onDismiss={onClose}
      actions={
        <Button variant="link" onClick={onClose}>
          {say('cancel')}
        </Button>
      }
    >
      <Waiting read={read} />
    </Dialog>
  )
}
