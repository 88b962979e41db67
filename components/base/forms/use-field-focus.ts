import { type RefObject, useEffect } from 'react'

/**
 * Moves the focus to the first field with a fault, or else to the first empty one, whenever `reason` changes to a value other
 * than undefined.
 */
export function useFieldFocus(form: RefObject<HTMLFormElement | null>, reason: unknown): void {
  useEffect(() => {
    if (reason !== undefined) leadToField(form.current)
  }, [form, reason])
}

function leadToField(form: HTMLFormElement | null): void {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input:not([type="checkbox"])') ?? [])]
  const next =
    fields.find((field) => field.getAttribute('aria-invalid') === 'true') ??
    fields.find((field) => field.value === '') ??
    fields.at(-1)
  next?.focus()
  next?.select()
}
