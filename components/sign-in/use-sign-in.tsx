import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, type SubmitEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useOneAtATime } from '#components/forms/one-at-a-time'
import { useFieldFocus } from '#components/forms/use-field-focus'
import { useCountdown } from '#components/session/waiting-time'
import { signIn } from '#lib/auth/session.queries'
import type { SessionDocument } from '#lib/auth/session.schema'
import {
  asksForCode,
  emptyFields,
  type Field,
  type Fields,
  refusalText,
  refusedField,
  type Step,
  stepAfter,
  waitAfter,
} from './attempt'

export type Attempt = {
  form: RefObject<HTMLFormElement | null>
  step: Step
  fields: Fields
  faults: Partial<Record<Field, ReactNode>>
  /** A failure that belongs to no field, such as no network. */
  failure: unknown
  isSending: boolean
  /** Seconds until another attempt is allowed; 0 if now. */
  wait: number
  mail: CodeMail
  change: (field: Field, value: string) => void
  submit: (event: SubmitEvent) => void
  startOver: () => void
}

type CodeMail = {
  /** A second code was sent. */
  isAnother: boolean
  isSending: boolean
  /** Seconds until another code may be sent. */
  wait: number
  sendAnother: () => void
}

/** The state of the sign-in form, with the faults by field. */
export function useSignIn(nick: string, onSignedIn: (session: SessionDocument) => void): Attempt {
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState<Fields>({ nick, password: '', code: '' })
  const [step, setStep] = useState<Step>('password')
  const [empty, setEmpty] = useState<readonly Field[]>()
  const [wait, beginWait] = useCountdown()
  const codeMails = useCodeMails()
  const guard = useOneAtATime()
  const sending = useMutation({
    mutationFn: signIn,
    gcTime: 0,
    onSuccess: onSignedIn,
    onError: (error) => {
      setStep((now) => stepAfter(error, now))
      beginWait(waitAfter(error) ?? 0)
      if (asksForCode(error)) codeMails.count(error.retryAfter ?? 0)
    },
  })
  const { error, isPending } = sending
  const refused = refusedField(error)
  const codeAsked = asksForCode(error)
  useFieldFocus(form, step)
  useFieldFocus(form, refused || codeAsked ? error : empty)

  const { code, ...credentials } = fields
  const isCodeStep = step !== 'password'

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (wait > 0) return
    const found = emptyFields(fields, step)
    const isWhole = found.length === 0
    setEmpty(isWhole ? undefined : found)
    if (!isWhole) return sending.reset()
    const sent = isCodeStep ? { ...credentials, code: code.replaceAll(/[\s-]/g, '') } : credentials
    guard(() => sending.mutateAsync(sent))
  }

  const sendAnother = () => {
    setEmpty(undefined)
    guard(() => sending.mutateAsync(credentials))
  }

  const startOver = () => {
    sending.reset()
    setEmpty(undefined)
    setStep('password')
    codeMails.reset()
    setFields({ nick: fields.nick, password: '', code: '' })
  }

  const isMailing = isPending && isCodeStep && sending.variables.code === undefined
  return {
    form,
    step,
    fields,
    faults: useFaults(error, empty),
    failure: refused || codeAsked || waitAfter(error) ? null : error,
    wait,
    isSending: isPending && !isMailing,
    mail: { isAnother: codeMails.isAnother, isSending: isMailing, wait: codeMails.wait, sendAnother },
    change: (field, value) => setFields((now) => ({ ...now, [field]: value })),
    submit,
    startOver,
  }
}

/** Counts the codes that this sign-in sent by mail. */
function useCodeMails() {
  const [mails, setMails] = useState(0)
  const [wait, beginWait] = useCountdown()
  const count = (secondsToNext: number) => {
    setMails((now) => now + 1)
    beginWait(secondsToNext)
  }
  return { isAnother: mails > 1, wait, count, reset: () => setMails(0) }
}

/** The refusal of the last attempt at its field, or else the fields that are missing. */
function useFaults(error: Error | null, empty: readonly Field[] = []): Attempt['faults'] {
  const say = useTranslations('signIn')
  const sayRefused = useTranslations('signIn.refused')
  const sayClock = useTranslations('common.clock')
  const refused = refusedField(error)
  if (refused) {
    return { [refused]: refusalText({ say: sayRefused, sayClock }, error) }
  }
  return Object.fromEntries(empty.map((field) => [field, say(`missing.${field}`)]))
}
