import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useFieldFocus } from '#components/base/forms/use-field-focus'
import {
  askForPasskey,
  hasPasskeys,
  isUnanswered,
  offersInField,
  stopAsking,
} from '#components/base/session/passkeys'
import { noteSignIn } from '#components/base/session/signed-in-with'
import { useCountdown } from '#components/base/session/waiting-time'
import type { PasskeyAssertion } from '#lib/caller/auth/passkey.schema'
import { signIn, signInWaysQuery } from '#lib/caller/auth/session.queries'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import {
  asksForCode,
  emptyFields,
  type Field,
  type Fields,
  refusalText,
  refusedField,
  refusesPasskey,
  type SignInStep,
  stepAfter,
  waitAfter,
} from './attempt'

export type Attempt = {
  form: RefObject<HTMLFormElement | null>
  step: SignInStep
  fields: Fields
  faults: Partial<Record<Field, ReactNode>>
  /** A failure that belongs to no field, such as no network. */
  failure: unknown
  isSending: boolean
  /** Seconds until another attempt is allowed; 0 if now. */
  wait: number
  mail: CodeMail
  passkey: PasskeyWay
  change: (field: Field, value: string) => void
  submit: (event: SubmitEvent) => void
  startOver: () => void
}

type PasskeyWay = {
  isAsking: boolean
  /** `unanswered`: the browser's dialog was closed, or found no passkey. `refused`: the server did not accept the passkey. */
  problem: 'unanswered' | 'refused' | undefined
  /** Asks for a passkey: alone, or in place of the code. */
  use: () => void
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
  const [step, setStep] = useState<SignInStep>('password')
  const [empty, setEmpty] = useState<readonly Field[]>()
  const [wait, beginWait] = useCountdown()
  const codeMails = useCodeMails()
  const guard = useOneAtATime()
  const sending = useMutation({
    mutationFn: signIn,
    gcTime: 0,
    onSuccess: (session, sent) => {
      noteSignIn({ ...sent, nick: session.nick }, session.mustChangePassword)
      onSignedIn(session)
    },
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

  const asking = useMutation({ mutationFn: askForPasskey, gcTime: 0 })
  const sendPasskey = (passkey: PasskeyAssertion) => guard(() => sending.mutateAsync({ passkey }))
  useFieldPasskeys(!isCodeStep, sendPasskey)
  const usePasskey = () => {
    setEmpty(undefined)
    guard(async () => {
      const passkey = await asking.mutateAsync(isCodeStep ? { nick: fields.nick } : {})
      await sending.mutateAsync(isCodeStep ? { ...credentials, passkey } : { passkey })
    })
  }

  const sendAnother = () => {
    setEmpty(undefined)
    guard(() => sending.mutateAsync(credentials))
  }

  const startOver = () => {
    sending.reset()
    asking.reset()
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
    failure:
      failureOf(asking.error) ??
      (refused || codeAsked || refusesPasskey(error) || waitAfter(error) ? null : error),
    wait,
    isSending: isPending && !isMailing,
    mail: { isAnother: codeMails.isAnother, isSending: isMailing, wait: codeMails.wait, sendAnother },
    passkey: { isAsking: asking.isPending, problem: problemOf(asking.error, error), use: usePasskey },
    change: (field, value) => setFields((now) => ({ ...now, [field]: value })),
    submit,
    startOver,
  }
}

function problemOf(asked: Error | null, sent: Error | null): PasskeyWay['problem'] {
  if (isUnanswered(asked)) return 'unanswered'
  return refusesPasskey(sent) ? 'refused' : undefined
}

const failureOf = (error: Error | null): Error | null => (isUnanswered(error) ? null : error)

/** Renewed before the challenge of the server ends. */
const RENEWAL = 9 * 60_000

/** Offers passkeys in the list of the nick's field, as browsers offer stored passwords. */
function useFieldPasskeys(isOpen: boolean, onPasskey: (passkey: PasskeyAssertion) => void): void {
  const { data: ways } = useQuery(signInWaysQuery)
  const isOffered = isOpen && ways?.passkey === true
  const answer = useEffectEvent(onPasskey)
  useEffect(() => {
    if (!isOffered) return
    let isOver = false
    const ask = async () => {
      if (isOver || !(await offersInField())) return
      // A question without an answer, or one that the button cancels, is not a failure.
      const passkey = await askForPasskey({ inField: true }).catch(() => undefined)
      if (passkey && !isOver) answer(passkey)
    }
    void ask()
    const timer = setInterval(() => void ask(), RENEWAL)
    return () => {
      isOver = true
      clearInterval(timer)
      if (hasPasskeys()) void stopAsking()
    }
  }, [isOffered])
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
