import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { TextField } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { isWrongCode } from '#lib/people/identity/two-factor.queries'
import type { Say } from '#lib/words/words'
import { TooMany } from './too-many'
import { clockHint, plainCode } from './verification-code'
import { isTooMany, useWait } from './waiting-time'

type Options<T> = {
  accepts: (code: string) => boolean
  mutation: UseMutationResult<T, Error, string>
  onAccepted: () => void
}

/** The state of a form that asks for one verification code; `CodeField` shows it inside of any form. */
export function useCodeForm<T>({ accepts, mutation, onAccepted }: Options<T>) {
  const [typed, setTyped] = useState('')
  const [isIncomplete, setIncomplete] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const guard = useOneAtATime()
  /** Seconds until the server accepts another attempt. */
  const wait = useWait(mutation)
  const change = (value: string) => {
    setTyped(value)
    setIncomplete(false)
  }
  const submit = () => {
    if (wait > 0) return
    const code = plainCode(typed)
    setIncomplete(!accepts(code))
    if (!accepts(code)) return input.current?.focus()
    guard(() => mutation.mutateAsync(code, { onSuccess: onAccepted, onError: () => input.current?.select() }))
  }
  const { error, isPending, isError } = mutation
  return { typed, isIncomplete, input, wait, error, isPending, isError, change, submit }
}

type CodeFieldProps = {
  form: ReturnType<typeof useCodeForm>
  description: string
  /** The fault of a text that cannot be a code. */
  incomplete: string
  /** The fault of a code that the server refused. */
  wrong: string
  /** Help after a refusal. */
  hints?: ReactNode
  autoFocus?: boolean
}

export function CodeField({ form, description, incomplete, wrong, hints, autoFocus }: CodeFieldProps) {
  const say = useTranslations('account.code')
  const sayClock = useTranslations('common.clock')
  const { error, wait } = form
  const isRefused = isWrongCode(error)
  const refusal = !form.isPending && isRefused && wrongText(sayClock, error.clockOffset, wrong)
  return (
    <Stack gap="l">
      <div style={{ maxInlineSize: '24em' }}>
        <TextField
          ref={form.input}
          label={say('label')}
          hint={description}
          error={form.isIncomplete ? incomplete : refusal}
          digits
          autoFocus={autoFocus ?? false}
          value={form.typed}
          onChange={form.change}
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          required
        />
      </div>
      {isRefused && hints}
      {wait > 0 ? (
        <TooMany wait={wait} of="code" />
      ) : (
        form.isError && !isRefused && !isTooMany(error) && <Failure error={error} />
      )}
    </Stack>
  )
}

/** A wrong clock of the phone explains the refusal better than a wrong code. */
const wrongText = (say: Say<'common.clock'>, clockOffset: number | undefined, wrong: string) =>
  clockOffset === undefined ? wrong : clockHint(say, clockOffset)
