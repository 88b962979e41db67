import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import type { InputProps } from '@cloudscape-design/components/input'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import type { SessionDocument } from '#lib/auth/session.schema'
import { CodeForm } from './code-form'
import { SendCode, useCodeMail } from './send-code'
import { useWait } from './too-many'
import { isAnyCode, isFreshCode } from './verification-code'

/** What the dialogs that ask for a code are given. */
export type TwoFactorDialogProps = {
  session: SessionDocument
  visible: boolean
  onCancel: () => void
  onDone: () => void
}

type CodeDialogProps<T> = Omit<TwoFactorDialogProps, 'onDone'> & {
  header: string
  /** A scratch code does as well. */
  takesScratchCodes: boolean
  action: string
  actionUnderWay: string
  mutation: UseMutationResult<T, Error, string>
  onAccepted: () => void
  /** What will happen. */
  children: ReactNode
}

/** Asks for a code to do something with it. */
export function CodeDialog<T>(props: CodeDialogProps<T>) {
  const { session, visible, mutation, onCancel, takesScratchCodes } = props
  const provider = session.twoFactorProvider ?? 'APP_AUTHENTICATOR'
  const say = useTranslations('account.code')
  const sayCommon = useTranslations('common')
  const formId = useId()
  const codeMail = useCodeMail()
  const wait = useWait(mutation)
  const input = useRef<InputProps.Ref>(null)
  const sender = useRef<ButtonProps.Ref>(null)
  // Cloudscape itself would give the focus to the button that closes.
  useEffect(() => {
    if (!visible) return
    input.current?.focus()
    // Comes first where it can be pressed; disabled, it takes no focus.
    sender.current?.focus()
  }, [visible])

  const accepted = () => {
    codeMail.mail.reset()
    props.onAccepted()
  }
  const cancel = () => {
    mutation.reset()
    codeMail.mail.reset()
    onCancel()
  }
  return (
    <Dialog
      visible={visible}
      header={props.header}
      onDismiss={cancel}
      actions={
        <>
          <Button variant="link" onClick={cancel}>
            {sayCommon('cancel')}
          </Button>
          <Button
            variant="primary"
            form={formId}
            loading={mutation.isPending}
            loadingText={props.actionUnderWay}
            disabled={wait > 0}
          >
            {props.action}
          </Button>
        </>
      }
    >
      {props.children}
      {provider === 'EMAIL' && (
        <SendCode {...codeMail} button={sender} email={session.email} onSent={() => input.current?.focus()} />
      )}
      <CodeForm
        id={formId}
        description={say(`${takesScratchCodes ? 'any' : 'fresh'}.${provider}`)}
        accepts={takesScratchCodes ? isAnyCode : isFreshCode}
        incomplete={say(`${takesScratchCodes ? 'notAny' : 'notFresh'}.${provider}`)}
        wrong={say(`wrong.${provider}`)}
        input={input}
        mutation={mutation}
        wait={wait}
        onAccepted={accepted}
      />
    </Dialog>
  )
}
