import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Failure } from '#components/layout/failure'
import { ApiFailure } from '#lib/client/api'

type ConfirmDeleteProps = {
  title: string
  /** What will happen. */
  children: ReactNode
  /** Text that must be typed before the button works, for what hurts when it is gone. */
  typed?: string
  confirmLabel?: string
  busy: boolean
  error: Error | null
  /** What the user can do about a refusal of this code. */
  advice?: (code: string) => string | undefined
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something is deleted, shows that it is on its way, and why it was refused. */
export function ConfirmDelete({
  title,
  children,
  typed,
  confirmLabel = 'Delete',
  busy,
  error,
  advice,
  onConfirm,
  onCancel,
}: ConfirmDeleteProps) {
  const formId = useId()
  const [text, setText] = useState('')
  const ready = typed === undefined || text.trim() === typed.trim()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !busy) onConfirm()
  }

  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={onCancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel}>
              Cancel
            </Button>
            <Button
              variant="primary"
              form={formId}
              disabled={!ready}
              disabledReason={typed && `Type ${typed} first`}
              loading={busy}
              loadingText="Deleting"
            >
              {confirmLabel}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={formId} onSubmit={submit}>
        <SpaceBetween size="l">
          <div>{children}</div>
          {typed !== undefined && (
            <FormField label={<TypeThis text={typed} />} stretch>
              <Input
                value={text}
                placeholder={typed}
                autoComplete={false}
                spellcheck={false}
                onChange={({ detail }) => setText(detail.value)}
              />
            </FormField>
          )}
          {error && <Refusal error={error} advice={advice} />}
        </SpaceBetween>
      </form>
    </Modal>
  )
}

const TypeThis = ({ text }: { text: string }) => (
  <>
    To confirm, type <Box variant="strong">{text}</Box>
  </>
)

function Refusal({
  error,
  advice,
}: Required<Pick<ConfirmDeleteProps, 'error'>> & Pick<ConfirmDeleteProps, 'advice'>) {
  if (!advice || !(error instanceof ApiFailure) || error.status !== 409) return <Failure error={error} />
  return (
    <Alert type="error" header="It cannot be deleted yet" i18nStrings={{ errorIconAriaLabel: 'Error' }}>
      <SpaceBetween size="xs">
        {error.faults.map(({ code, message }) => (
          <div key={`${code} ${message}`}>
            {message} <Box variant="code">{code}</Box>
            <Box variant="small" color="inherit" display="block">
              {advice(code)}
            </Box>
          </div>
        ))}
        {error.requestId && (
          <Box variant="small" color="inherit">
            Request id <Box variant="code">{error.requestId}</Box>
          </Box>
        )}
      </SpaceBetween>
    </Alert>
  )
}
