import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useFlash } from '#components/base/forms/flash'
import { FormDialog } from '#components/base/forms/form-dialog'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { CodeField, useCodeForm } from './code-form'
import { SendCode, useCodeMail } from './send-code'
import { isAnyCode, isFreshCode } from './verification-code'

export type TwoFactorDialogProps = {
  session: SessionDocument
  visible: boolean
  onCancel: () => void
  onDone: () => void
}

type CodeDialogProps<T> = TwoFactorDialogProps & {
  header: string
  /** A scratch code does as well. */
  takesScratchCodes: boolean
  label: string
  busyLabel: string
  mutation: UseMutationResult<T, Error, string>
  /** The consequence of the action. */
  text: string
  /** The message about a success. */
  done?: string
  children?: ReactNode
}

/** Asks for a code before it runs a mutation with it. */
export function CodeDialog<T>(props: CodeDialogProps<T>) {
  const { session, visible, mutation, takesScratchCodes } = props
  const provider = session.twoFactorProvider ?? 'APP_AUTHENTICATOR'
  const say = useTranslations('account.code')
  const notify = useFlash()
  const codeMail = useCodeMail()
  const form = useCodeForm({
    accepts: takesScratchCodes ? isAnyCode : isFreshCode,
    mutation,
    onAccepted: () => {
      form.change('')
      codeMail.mail.reset()
      if (props.done) notify(props.done)
      props.onDone()
    },
  })

  const cancel = () => {
    form.change('')
    mutation.reset()
    codeMail.mail.reset()
    props.onCancel()
  }
  const tooMany = useTranslations('common')('ownFaults.429')
  return (
    <FormDialog
      visible={visible}
      header={props.header}
      submit={{
        label: props.label,
        busyLabel: props.busyLabel,
        isBusy: mutation.isPending,
        refused: form.wait > 0 ? tooMany : undefined,
      }}
      onSubmit={form.submit}
      onClose={cancel}
    >
      <p>{props.text}</p>
      {props.children}
      {provider === 'EMAIL' && (
        <SendCode {...codeMail} takesFocus email={session.email} onSent={() => form.input.current?.focus()} />
      )}
      <CodeField
        form={form}
        description={say(`${takesScratchCodes ? 'any' : 'fresh'}.${provider}`)}
        incomplete={say(`${takesScratchCodes ? 'notAny' : 'notFresh'}.${provider}`)}
        wrong={say(`wrong.${provider}`)}
      />
    </FormDialog>
  )
}
