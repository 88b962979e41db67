import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ApiFault } from '#lib/client/api'
import type { Tagged } from '#lib/client/resources.queries'
import { isConflict, isStaleWrite } from './conflict'
import { faultsByField } from './form-faults'

type Options<Draft, Document, Field extends string> = {
  first: Draft
  /** The newest that is known of the thing to change; a new one is not there yet. */
  current: Tagged<Document> | undefined
  /** Reads it anew. */
  refresh: () => Promise<unknown>
  draftOf: (document: Document) => Draft
  /** What is wrong with the draft before it is sent. */
  check: (draft: Draft) => Partial<Record<Field, ReactNode>>
  fieldOf: (fault: ApiFault, draft: Draft, base: Draft) => Field | undefined
  save: (sent: { draft: Draft; current?: Tagged<Document> }) => Promise<Document>
  onSaved: (saved: Document) => void
}

/**
 * The state of a form over one resource. What is typed builds on `base`; `current` may be newer: a save that finds it so
 * is refused, and the user decides whose version stays.
 */
export function useResourceForm<Draft, Document, Field extends string>(
  options: Options<Draft, Document, Field>,
) {
  const { first, current, refresh, draftOf, check, fieldOf, onSaved } = options
  const ref = useRef<HTMLFormElement>(null)
  const isSaved = useRef(false)
  const [version, setVersion] = useState({ loaded: current, base: first })
  const [draft, setDraft] = useState(first)
  const [tries, setTries] = useState(0)
  const saving = useMutation({ mutationFn: options.save })
  const conflict = isConflict(saving.error, version.loaded, current)
  const refused = faultsByField<Field>(saving.error, (fault) => fieldOf(fault, draft, version.base))
  const errors: Partial<Record<Field, ReactNode>> = { ...refused.fields, ...(tries > 0 && check(draft)) }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(version.base)

  // Leads the keyboard to the first field with a fault, once it is shown.
  useEffect(() => {
    if (tries > 0 || saving.isError) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries, saving.isError])

  const saveOver = (target: Tagged<Document> | undefined) => {
    if (saving.isPending) return
    setTries(tries + 1)
    if (Object.keys(check(draft)).length > 0) return
    setVersion({ ...version, loaded: target })
    saving.mutate(
      { draft, ...(target && { current: target }) },
      {
        onSuccess: (saved) => {
          isSaved.current = true
          onSaved(saved)
        },
        onError: (error) => isStaleWrite(error) && void refresh(),
      },
    )
  }

  return {
    ref,
    draft,
    base: version.base,
    errors,
    conflict,
    failure: conflict ? undefined : refused.rest,
    isSaving: saving.isPending,
    isChanged,
    /** Would leaving now lose what was typed? */
    loses: () => !isSaved.current && isChanged,
    change: (changes: Partial<Draft>) => {
      setDraft((now) => ({ ...now, ...changes }))
      if (!conflict) saving.reset()
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      saveOver(version.loaded)
    },
    saveMine: () => saveOver(current),
    takeTheirs: () => {
      if (!current) return
      const base = draftOf(current.document)
      setVersion({ loaded: current, base })
      setDraft(base)
      saving.reset()
    },
  }
}
