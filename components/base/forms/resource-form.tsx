import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AppButton } from '#components/base/screens/app-link'
import { useViewRefusal } from '#components/base/screens/see-as'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { ApiFailure } from '#lib/client/api'
import { ChangeTool } from './change-tool'
import { Conflict } from './conflict'
import { Dialog, type DialogSize } from './dialog'
import { Failure, Waiting } from './failure'
import { FormActions } from './form-actions'
import { FormDialog } from './form-dialog'
import { LeaveGuard } from './leave-guard'
import { NewerNotice } from './newer'
import type { ResourceFormState } from './use-resource-form'

type Shared = {
  form: ResourceFormState
  /** The button that creates; that of a resource which exists says "Save". */
  label?: string | undefined
  busyLabel?: string | undefined
  children: ReactNode
}

export type ResourceFormProps = Shared & {
  /** The screen that "Cancel" leads to. */
  back: string
  /** The question before leaving; "Leave without saving?" if absent. */
  leave?: { header: string; text: string } | undefined
}

/** A form of `useResourceForm` that has a page of its own. */
export function ResourceForm(props: ResourceFormProps) {
  const { form, label, busyLabel, back, leave } = props
  const inView = useViewRefusal()
  const say = useTranslations('forms')
  const sayCommon = useTranslations('common')
  return (
    <form
      ref={form.ref}
      onSubmit={(event) => {
        event.preventDefault()
        // Enter submits a form whatever its button says.
        if (inView === undefined) form.submit()
      }}
      noValidate
    >
      <Stack gap="l">
        <Problems form={form} />
        {props.children}
      </Stack>
      <FormActions calls={form.calls}>
        <AppButton look="quiet" to={back}>
          {sayCommon('cancel')}
        </AppButton>
        <ChangeTool
          look="main"
          refused={form.merge?.isDecided === false ? say('decideFirst') : undefined}
          busy={form.isSaving}
          busyText={busyLabel ?? say('saving')}
          type="submit"
        >
          {(!form.saved && label) || sayCommon('save')}
        </ChangeTool>
      </FormActions>
      <LeaveGuard loses={form.loses} header={leave?.header}>
        {leave?.text}
      </LeaveGuard>
    </form>
  )
}

type ResourceDialogProps = Shared & {
  /** Also the button that creates, unless there is a shorter label. */
  header: string
  size?: DialogSize
  canClose?: boolean
  onClose: () => void
}

/** The same in a dialog. */
export function ResourceDialog(props: ResourceDialogProps) {
  const { form, header, label, busyLabel, size = 'medium', canClose = true, onClose } = props
  const say = useTranslations('forms')
  const sayCommon = useTranslations('common')
  return (
    <FormDialog
      ref={form.ref}
      header={header}
      size={size}
      submit={{
        label: form.saved ? sayCommon('save') : (label ?? header),
        busyLabel: busyLabel ?? say('saving'),
        isBusy: form.isSaving,
        refused: form.merge?.isDecided === false ? say('decideFirst') : undefined,
      }}
      canClose={canClose}
      calls={form.calls}
      loses={form.loses}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Problems form={form} />
      {props.children}
    </FormDialog>
  )
}

/** The conflict or the failure that belongs to no field. */
function Problems({ form }: Pick<Shared, 'form'>) {
  if (form.merge) return <Conflict merge={form.merge} theirs={form.theirs} />
  if (!form.failure) return form.newer ? <NewerNotice newer={form.newer} /> : null
  // The repeat has the same Idempotency-Key: it makes nothing twice.
  const isLost = form.failure instanceof ApiFailure && form.failure.status === 0
  return <Failure error={form.failure} retry={isLost ? form.submit : undefined} />
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
        <Button look="quiet" onPress={onClose}>
          {say('cancel')}
        </Button>
      }
    >
      <Waiting read={read} />
    </Dialog>
  )
}
