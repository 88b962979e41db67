import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { Failure } from '#components/forms/failure'
import { LeaveGuard } from '#components/forms/leave-guard'

type FormDialogProps = {
  title: string
  ref: RefObject<HTMLFormElement | null>
  isSaving: boolean
  /** Somebody else's change must be looked at first. */
  isBlocked: boolean
  /** Would leaving lose what was typed? */
  loses: () => boolean
  onSubmit: (event: FormEvent) => void
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. Neither a click beside it nor another screen throws away what was typed. */
export function FormDialog({
  ref,
  title,
  isSaving,
  isBlocked,
  loses,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const formId = useId()
  const say = useTranslations('datacenters')
  const words = useTranslations('common')
  return (
    <>
      <Dialog
        header={title}
        onDismiss={(reason) => !(reason === 'overlay' && loses()) && onClose()}
        actions={
          <>
            <Button variant="link" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button
              variant="primary"
              form={formId}
              loading={isSaving}
              loadingText={say('form.saving')}
              disabled={isBlocked}
            >
              {words('save')}
            </Button>
          </>
        }
      >
        <form ref={ref} id={formId} onSubmit={onSubmit}>
          <SpaceBetween size="l">{children}</SpaceBetween>
        </form>
      </Dialog>
      <LeaveGuard loses={loses} header={say('leave.title')}>
        {say('leave.text')}
      </LeaveGuard>
    </>
  )
}

type LoadingDialogProps = {
  title: string
  read: { error: Error | null; refetch: () => Promise<unknown> }
  onClose: () => void
}

/** In place of a form whose subject is on its way, or failed to come. */
export function LoadingDialog({ title, read, onClose }: LoadingDialogProps) {
  const words = useTranslations('common')
  return (
    <Dialog
      header={title}
      onDismiss={onClose}
      actions={
        <Button variant="link" onClick={onClose}>
          {words('cancel')}
        </Button>
      }
    >
      {read.error ? (
        <Failure error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Spinner size="large" />
      )}
    </Dialog>
  )
}
