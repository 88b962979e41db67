import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { ApiFailure } from '#lib/client/api'
import { Failure, FaultText, RequestId } from './failure'
import type { FlashMessage } from './flash'
import { FormDialog } from './form-dialog'
import { useAction } from './use-action'

type Read<Input> = {
  data: Input | undefined
  error: Error | null
  isPending: boolean
  refetch: () => Promise<unknown>
}

/** The mutation takes either the data of a query (which is read again after a refusal), or a value at hand. */
type Subject<Input> = { read: Read<Input>; input?: never } | { read?: never; input: Input }

type ConfirmProps<Data, Input> = Subject<Input> & {
  visible?: boolean
  title: string
  /** The consequence of the action. */
  children: ReactNode
  /** Text that must be typed before the button works, before a deletion that destroys much. */
  typed?: string
  /** The button; "Delete" if absent. */
  label?: string
  busyLabel?: string
  mutation: UseMutationResult<Data, Error, Input>
  /** The message about a success. */
  done: (data: Data) => string | FlashMessage
  /** Advice about a refusal, by its code. */
  advice?: Readonly<Record<string, ReactNode>>
  /** Closes the dialog, and leaves the page where its subject is gone. */
  onDone: () => void
  onCancel: () => void
}

/**
 * The only dialog for deletions and for other actions that end sessions or cannot be undone: asks, runs the mutation, shows the reason of a
 * refusal, reports the success.
 */
export function Confirm<Data, Input>(props: ConfirmProps<Data, Input>) {
  const { visible = true, title, children, typed, label, busyLabel, mutation, read, advice } = props
  const say = useTranslations('forms.confirm')
  const sayCommon = useTranslations('common')
  const [text, setText] = useState('')
  const isReady = typed === undefined || text.trim() === typed.trim()
  const error = mutation.error ?? read?.error
  const close = (after: () => void) => {
    setText('')
    mutation.reset()
    after()
  }
  const run = useAction(mutation, {
    done: props.done,
    onDone: () => close(props.onDone),
    // The next attempt acts on the newest version, and the dialog shows it.
    onError: () => void read?.refetch(),
  })
  const submit = () => {
    if (!isReady) return
    if (!read) run(props.input as Input)
    else if (read.data !== undefined) run(read.data)
  }
  return (
    <FormDialog
      visible={visible}
      header={title}
      submit={{
        label: label ?? sayCommon('delete'),
        busyLabel: busyLabel ?? (label ? undefined : say('busy')),
        isBusy: mutation.isPending || (read?.isPending ?? false),
        refused: isReady ? undefined : say('first', { text: typed }),
      }}
      onSubmit={submit}
      onClose={() => close(props.onCancel)}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextField
          label={say.rich('typeThis', { text: () => <strong>{typed}</strong> })}
          value={text}
          placeholder={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={setText}
        />
      )}
      {error && <Refused error={error} advice={advice} />}
    </FormDialog>
  )
}

type RefusedProps = { error: Error; advice: ConfirmProps<unknown, unknown>['advice'] }

function Refused({ error, advice }: RefusedProps) {
  const say = useTranslations('forms.confirm')
  if (!advice || !(error instanceof ApiFailure) || error.status !== 409) return <Failure error={error} />
  return (
    <Notice kind="bad" title={say('notYet')}>
      <Stack gap="s">
        {error.faults.map((fault) => (
          <div key={`${fault.code} ${fault.message}`}>
            <FaultText fault={fault} />
            <div className="small">{advice[fault.code]}</div>
          </div>
        ))}
        <RequestId id={error.requestId} />
      </Stack>
    </Notice>
  )
}
