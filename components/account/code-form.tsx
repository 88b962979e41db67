import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, type RefObject, type SubmitEvent, useState } from 'react'
import { Failure } from '#components/layout/failure'
import { isWrongCode } from '#lib/auth/two-factor.queries'
import styles from './two-factor.module.css'
import { plainCode } from './verification-code'

type CodeFormProps = {
  /** The button that sends the form may stand elsewhere: it names this id. */
  id: string
  label: string
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
  mutation: UseMutationResult<void, Error, string>
  onAccepted: () => void
}

/** Asks for one verification code and sends it. */
export function CodeForm(props: CodeFormProps) {
  const { id, label, description, accepts, incomplete, wrong, hints, mutation, onAccepted } = props
  const [typed, setTyped] = useState('')
  const [isIncomplete, setIncomplete] = useState(false)
  const refused = isWrongCode(mutation.error)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (mutation.isPending) return
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
          label={label}
          description={description}
          errorText={isIncomplete ? incomplete : refused && !mutation.isPending ? wrong : undefined}
          i18nStrings={{ errorIconAriaLabel: 'Error' }}
        >
          <div className={styles.digits}>
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
      {mutation.isError && !refused && <Failure error={mutation.error} />}
    </SpaceBetween>
  )
}
