import { type RefObject, useEffect } from 'react'

/**
 * Leads the keyboard and the screen reader to the field that is next: the first with a fault, else the first empty one.
 * Whenever `reason` is another one than before; undefined is none.
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
