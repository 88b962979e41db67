import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useViewRefusal } from '#components/base/screens/see-as'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Tool } from '#components/kit/tool'
import type { Call } from '#lib/client/calls'
import { CallsButton } from './calls-button'
import { Dialog, type DialogSize } from './dialog'
import { LeaveGuard } from './leave-guard'

type FormDialogProps = {
  visible?: boolean
  header: string
  size?: DialogSize
  ref?: RefObject<HTMLFormElement | null>
  submit: {
    label: string
    /** The announcement for screen readers while the form is sent. */
    busyLabel?: string | undefined
    isBusy?: boolean
    /** Why the form cannot be sent now. */
    refused?: string | undefined
  }
  /** The form changes nothing, so that it can be sent while the screens show what another user sees. */
  isQuestion?: boolean
  onSubmit: () => void
  onClose: () => void
  cancelLabel?: string | undefined
  /** False while the result of a long request is only shown here: then "Cancel" is disabled. */
  canClose?: boolean
  /** The requests that the form would send now. */
  calls?: (() => Promise<Call[]>) | undefined
  /** True if closing now would lose the user's input. A click beside the dialog and other screens then ask first. */
  loses?: () => boolean
  children: ReactNode
}

/**
 * A form in a dialog, with "Cancel" and the button that submits it: for questions, codes and passwords. A form over a resource takes
 * `ResourceDialog` instead, a question before a deletion `Confirm`.
 */
export function FormDialog({
  ref: given,
  header,
  submit,
  isQuestion = false,
  onSubmit,
  onClose,
  cancelLabel,
  canClose = true,
  calls,
  loses,
  children,
  ...dialog
}: FormDialogProps) {
  const formId = useId()
  const own = useRef<HTMLFormElement>(null)
  const ref = given ?? own
  const say = useTranslations('common')
  const viewRefusal = useViewRefusal()
  const inView = isQuestion ? undefined : viewRefusal
  return (
    <>
      <Dialog
        {...dialog}
        header={header}
        onDismiss={(by) => canClose && !(by === 'outside' && loses?.()) && onClose()}
        actions={
          <>
            {calls && <CallsButton look="quiet" find={calls} />}
            <Button look="quiet" disabled={!canClose} onPress={onClose}>
              {cancelLabel ?? say('cancel')}
            </Button>
            <Tool
              look="main"
              refused={inView ?? submit.refused}
              busy={submit.isBusy ?? false}
              busyText={submit.busyLabel}
              form={formId}
              type="submit"
            >
              {submit.label}
            </Tool>
          </>
        }
      >
        <form
          ref={ref}
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // React passes events on to a form around the dialog, although the browser shows the dialog elsewhere.
            event.stopPropagation()
            // Enter submits a form whatever its button says.
            if (inView === undefined) onSubmit()
          }}
        >
          <Stack gap="l">{children}</Stack>
        </form>
      </Dialog>
      {loses && <LeaveGuard loses={loses} />}
    </>
  )
}
