import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import type { InputProps } from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useFlash } from '#components/layout/flash'
import type { SessionDocument } from '#lib/auth/session.schema'
import { disableTwoFactor } from '#lib/auth/two-factor.queries'
import { CodeForm } from './code-form'
import { isAppCode, isScratchCode } from './verification-code'

const formId = 'turn-off-two-factor'

type DisableDialogProps = {
  session: SessionDocument
  visible: boolean
  onCancel: () => void
  onDone: () => void
}

export function DisableDialog({ session, visible, onCancel, onDone }: DisableDialogProps) {
  const disable = useMutation(disableTwoFactor(session))
  const notify = useFlash()
  const input = useRef<InputProps.Ref>(null)
  useEffect(() => {
    if (visible) input.current?.focus()
  }, [visible])

  const cancel = () => {
    disable.reset()
    onCancel()
  }
  const done = () => {
    notify({
      type: 'success',
      content: 'Two factor authentication is off. Your password alone signs you in.',
    })
    onDone()
  }
  return (
    <Modal
      visible={visible}
      header="Turn off two factor authentication?"
      closeAriaLabel="Close"
      onDismiss={cancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={cancel}>
              Cancel
            </Button>
            <Button variant="primary" form={formId} loading={disable.isPending} loadingText="Turning off">
              Turn off
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="l">
        <Box variant="p">
          Your password alone will then sign you in. The entry in your app and your scratch codes stop
          working: delete them.
        </Box>
        {visible && (
          <CodeForm
            id={formId}
            label="Verification code"
            description="Six digits of your authenticator app, or one of your scratch codes."
            accepts={(code) => isAppCode(code) || isScratchCode(code)}
            incomplete="Type the six digits that your app shows, or the eight of a scratch code."
            wrong="This code was not accepted. Each code works once: wait for the next one in your app, or use another scratch code."
            mutation={disable}
            input={input}
            onAccepted={done}
          />
        )}
      </SpaceBetween>
    </Modal>
  )
}
