import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, type RefObject, type SubmitEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Failure, Refusal } from '#components/forms/failure'
import { isWrongCode } from '#lib/auth/two-factor.queries'
import type { Say } from '#lib/words/words'
import { clockHint } from './clock-offset'
import { isTooMany, TooMany } from './too-many'
import { plainCode } from './verification-code'

type CodeFormProps<T> = {
  /** The button that sends the form may stand elsewhere: it names this id. */
  id: string
  description: string
  accepts: (code: string) => boolean
  /** What is said of a code that cannot be one. */
  incomplete: string
  /** What is said of a code that the server refused. */
  wrong: string
  /** What helps after a refusal. */
  hints?: ReactNode
  input: RefObject<InputProps.Ref | null>
  autoFocus?: boolean
  mutation: UseMutationResult<T, Error, string>
  /** Seconds until another try is heard; 0: none. */
  wait: number
  onAccepted: () => void
}

/** Asks for one verification code and sends it. */
export function CodeForm<T>(props: CodeFormProps<T>) {
  const { id, accepts, hints, mutation, wait, onAccepted } = props
  const say = useTranslations('account.code')
  const sayClock = useTranslations('common.clock')
  const [typed, setTyped] = useState('')
  const [isIncomplete, setIncomplete] = useState(false)
  const refused = isWrongCode(mutation.error)
  const wrong = wrongText(sayClock, mutation, props.wrong)
  const told = wrong && <Refusal error={mutation.error}>{wrong}</Refusal>

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (mutation.isPending || wait > 0) return
    const code = plainCode(typed)
    setIncomplete(!accepts(code))
    if (!accepts(code)) return props.input.current?.focus()
    mutation.mutate(code, { onSuccess: onAccepted, onError: () => props.input.current?.select() })
  }

  const type = (value: string) => {
    setTyped(value)
    setIncomplete(false)
  }

  return (
    <SpaceBetween size="l">
      <form id={id} onSubmit={submit} noValidate>
        <FormField
          label={say('label')}
          description={props.description}
          errorText={isIncomplete ? props.incomplete : told}
        >
          <div style={{ maxInlineSize: '16em' }}>
            <Input
              ref={props.input}
              autoFocus={props.autoFocus}
              value={typed}
              onChange={({ detail }) => type(detail.value)}
              autoComplete="one-time-code"
              inputMode="numeric"
              spellcheck={false}
              ariaRequired
            />
          </div>
        </FormField>
      </form>
      {refused && hints}
      {wait > 0 ? (
        <TooMany wait={wait} of="code" />
      ) : (
        mutation.isError && !refused && !isTooMany(mutation.error) && <Failure error={mutation.error} />
      )}
    </SpaceBetween>
  )
}

/** A clock that is off says more than that the code was wrong. */
function wrongText(
  say: Say<'common.clock'>,
  { error, isPending }: { error: Error | null; isPending: boolean },
  wrong: string,
) {
  if (isPending || !isWrongCode(error)) return undefined
  return error.clockOffset === undefined ? wrong : clockHint(say, error.clockOffset)
}
