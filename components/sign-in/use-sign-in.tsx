import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { signIn } from '#lib/auth/session.queries'
import type { SessionDocument } from '#lib/auth/session.schema'
import { ApiFailure } from '#lib/client/api'
import { emptyFields, type Field, type Fields, refusalOf, type Step, stepAfter } from './attempt'
import { useSecondsLeft } from './use-seconds-left'

export type Attempt = {
  form: RefObject<HTMLFormElement | null>
  step: Step
  fields: Fields
  faults: Partial<Fields>
  /** What is wrong beyond the fields: no network, too many attempts. */
  failure: unknown
  isSending: boolean
  /** Seconds to wait after too many failures; 0: none. */
  wait: number
  change: (field: Field, value: string) => void
  submit: (event: FormEvent) => void
  startOver: () => void
}

const isWait = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 429 && error.retryAfter !== undefined

/** The sign-in form: what was typed, what the server said to it, and at which field. */
export function useSignIn(nick: string, onSignedIn: (session: SessionDocument) => void): Attempt {
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState<Fields>({ nick, password: '', code: '' })
  const [step, setStep] = useState<Step>('password')
  const [empty, setEmpty] = useState<Partial<Fields>>({})
  const [until, setUntil] = useState(0)
  const wait = useSecondsLeft(until)
  const sending = useMutation({
    mutationFn: signIn,
    gcTime: 0,
    onSuccess: onSignedIn,
    onError: (error) => {
      setStep((now) => stepAfter(error, now))
      if (isWait(error)) setUntil(Date.now() + (error.retryAfter ?? 0) * 1000)
    },
  })
  const refusal = refusalOf(sending.error)

  // The screen reader and the keyboard are led to the first field that needs another look.
  useEffect(() => {
    if (refusal || Object.keys(empty).length > 0) {
      form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.select()
    }
  }, [refusal, empty])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (sending.isPending || wait > 0) return
    const found = emptyFields(fields, step)
    setEmpty(found)
    if (Object.keys(found).length > 0) return sending.reset()
    const { code, ...credentials } = fields
    sending.mutate(step === 'code' ? { ...credentials, code: code.replaceAll(/[\s-]/g, '') } : credentials)
  }

  const startOver = () => {
    sending.reset()
    setEmpty({})
    setStep('password')
    setFields({ nick: fields.nick, password: '', code: '' })
  }

  const codeAsked = sending.error instanceof ApiFailure && sending.error.has('SIGN-IN-1')
  return {
    form,
    step,
    fields,
    faults: refusal ? { [refusal.field]: refusal.message } : empty,
    failure: refusal || codeAsked || isWait(sending.error) ? null : sending.error,
    wait,
    isSending: sending.isPending,
    change: (field, value) => setFields((now) => ({ ...now, [field]: value })),
    submit,
    startOver,
  }
}
