import type { UseMutationResult } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import { isTooMany, useWait } from './waiting-time'

type Faults<Field extends string> = Partial<Record<Field, string>>

type Options<Field extends string> = {
  first: Record<Field, string>
  mutation: UseMutationResult<unknown, Error, Record<Field, string>>
  /** The faults of the draft before it is sent, by field. */
  check: (draft: Record<Field, string>) => Faults<Field>
  /** The faults that the server found, by field. */
  refusalOf?: (error: unknown) => Faults<Field>
  onDone?: () => void
}

const hasAny = (faults: object): boolean => Object.keys(faults).length > 0

/** The state of a form with a password or a nick, whose attempts the server limits. */
export function useAttemptForm<Field extends string>(options: Options<Field>) {
  const { first, mutation, check, refusalOf = () => ({}), onDone } = options
  const ref = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(first)
  const [faults, setFaults] = useState<Faults<Field>>()
  const guard = useOneAtATime()
  const { error, isPending } = mutation
  const wait = useWait(mutation)
  useFieldFocus(ref, faults)

  const refuse = (found: Faults<Field>) => setFaults(hasAny(found) ? found : undefined)
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (wait > 0) return
    const found = check(draft)
    refuse(found)
    if (hasAny(found)) return mutation.reset()
    const report = {
      onSuccess: () => onDone?.(),
      onError: (refused: Error) => refuse(refusalOf(refused)),
    }
    guard(() => mutation.mutateAsync(draft, report))
  }
  return {
    form: { ref, onSubmit, noValidate: true },
    draft,
    field: (name: Field) => ({
      value: draft[name],
      error: faults?.[name],
      readOnly: isPending,
      onChange: (value: string) => setDraft((now) => ({ ...now, [name]: value })),
    }),
    /** A failure that belongs to no field. */
    failure: isTooMany(error) || hasAny(refusalOf(error)) ? null : error,
    isSending: isPending,
    /** Seconds until another attempt is allowed; 0 if now. */
    wait,
  }
}
