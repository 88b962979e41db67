import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '#lib/client/api'
import { Dialog } from './dialog'
import { Failure, FaultText, RequestId } from './failure'

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
  advice?: (code: string) => ReactNode
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something is deleted, shows that it is on its way, and why it was refused. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  const { title, children, typed, confirmLabel, busy, error, advice, onConfirm, onCancel } = props
  const say = useTranslations('forms.confirm')
  const sayCommon = useTranslations('common')
  const formId = useId()
  const [text, setText] = useState('')
  const ready = typed === undefined || text.trim() === typed.trim()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready && !busy) onConfirm()
  }

  return (
    <Dialog
      header={title}
      onDismiss={onCancel}
      actions={
        <>
          <Button variant="link" onClick={onCancel}>
            {sayCommon('cancel')}
          </Button>
          <Button
            variant="primary"
            form={formId}
            disabled={!ready}
            {...(typed !== undefined && { disabledReason: say('first', { text: typed }) })}
            loading={busy}
            loadingText={say('busy')}
          >
            {confirmLabel ?? sayCommon('delete')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <SpaceBetween size="l">
          <div>{children}</div>
          {typed !== undefined && (
            <FormField
              label={say.rich('typeThis', { text: () => <Box variant="strong">{typed}</Box> })}
              stretch
            >
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
    </Dialog>
  )
}

function Refusal({
  error,
  advice,
}: Required<Pick<ConfirmDeleteProps, 'error'>> & Pick<ConfirmDeleteProps, 'advice'>) {
  const say = useTranslations('forms.confirm')
  if (!advice || !(error instanceof ApiFailure) || error.status !== 409) return <Failure error={error} />
  return (
    <Alert type="error" header={say('notYet')}>
      <SpaceBetween size="xs">
        {error.faults.map((fault) => (
          <div key={`${fault.code} ${fault.message}`}>
            <FaultText fault={fault} />
            <Box variant="small" color="inherit" display="block">
              {advice(fault.code)}
            </Box>
          </div>
        ))}
        <RequestId id={error.requestId} />
      </SpaceBetween>
    </Alert>
  )
}
