import { useMutation } from '@tanstack/react-query'
import { type RefObject, type SubmitEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFieldFocus } from '#components/forms/use-field-focus'
import { isTooMany, useWait } from '#components/session/too-many'
import { changeOwnPassword } from '#lib/auth/own-password.queries'
import { faultsOf, type PasswordDraft, type PasswordFaults, refusalOf } from './password-draft'

type PasswordForm = {
  form: RefObject<HTMLFormElement | null>
  draft: PasswordDraft
  faults: PasswordFaults
  /** What the server refused, where `faults` tell of it. */
  refusal: Error | null
  /** What is wrong beyond the fields. */
  failure: Error | null
  isSending: boolean
  /** Seconds to wait after too many failures; 0: none. */
  wait: number
  change: (field: keyof PasswordDraft, value: string) => void
  submit: (event: SubmitEvent) => void
}

const isAtField = (faults: PasswordFaults): boolean => Object.keys(faults).length > 0

/** The form for another password: what was typed, what is wrong with it, and at which field. */
export function usePasswordForm(owner: { nick: string; least: number }, onChanged: () => void): PasswordForm {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<PasswordDraft>({ oldPassword: '', password: '' })
  const [faults, setFaults] = useState<PasswordFaults>()
  const words = { say: useTranslations('account.password'), sayNew: useTranslations('signIn.newPassword') }
  const sending = useMutation(changeOwnPassword())
  const wait = useWait(sending)
  useFieldFocus(form, faults)

  const refuse = (found: PasswordFaults) => setFaults(isAtField(found) ? found : undefined)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (sending.isPending || wait > 0) return
    const found = faultsOf(words, draft, owner)
    refuse(found)
    if (isAtField(found)) return sending.reset()
    sending.mutate(draft, { onSuccess: onChanged, onError: (error) => refuse(refusalOf(words, error)) })
  }
  return {
    form,
    draft,
    faults: faults ?? {},
    refusal: sending.error,
    failure: isTooMany(sending.error) || isAtField(refusalOf(words, sending.error)) ? null : sending.error,
    isSending: sending.isPending,
    wait,
    change: (field, value) => setDraft((now) => ({ ...now, [field]: value })),
    submit,
  }
}
