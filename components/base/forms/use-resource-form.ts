import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { focusMade } from '#components/kit/return-focus'
import { type Call, rehearseChange } from '#lib/client/calls'
import type { Tagged } from '#lib/client/resources.queries'
import { isConflict, isStaleWrite } from './conflict'
import { type FlashMessage, useFlash } from './flash'
import { type FieldErrors, type FieldNames, faultsByField } from './form-faults'
import type { ShownFields } from './merge'
import type { Newer } from './newer'
import { useOneAtATime } from './one-at-a-time'
import { type Merge, useMerge } from './use-merge'

/** A resource to change, as `useFresh` returns it. */
export type Read<Document> = {
  data?: Tagged<Document> | undefined
  refetch: () => Promise<{ data?: Tagged<Document> | undefined }>
}

type Sent<Draft, Document> = { draft: Draft; current?: Tagged<Document> }

type Editing<Draft, Document> = {
  /** The resource to change; undefined in a form that creates one. */
  read: Read<Document> | undefined
  draftOf: (document: Document) => Draft
  /** The labels and values of fields in a conflict. */
  shown: ShownFields<Draft>
}

type Options<Draft extends object, Document extends object, Field extends string, Saved> = {
  /** The initial values of a form without an existing resource. */
  first: Draft
  /** Absent in a form that only creates. */
  editing?: Editing<Draft, Document>
  /** The faults of the draft before it is sent. */
  check: (draft: Draft, base: Draft) => FieldErrors<Field>
  names?: (draft: Draft) => FieldNames<Field>
  /** Before a save: false if the user goes back to the form. Its refusals are shown like those of the save. */
  review?: ((sent: Sent<Draft, Document>, base: Draft) => Promise<boolean>) | undefined
  save: (sent: Sent<Draft, Document>) => Promise<Saved>
  /** The message about a success, and where the user goes next; as in `useAction`. */
  done: (saved: Saved, draft: Draft) => string | FlashMessage
  onDone: (saved: Saved) => void
}

/** The part of a form that its fields need. `field` returns the props of one field. */
export type FormFields<Draft, Field extends string> = {
  draft: Draft
  errors: FieldErrors<Field>
  change: (changes: Partial<Draft>) => void
  field: <Name extends Field & keyof Draft>(
    name: Name,
  ) => { value: Draft[Name]; error: ReactNode; onChange: (value: Draft[Name]) => void }
}

export type ResourceFormState = {
  ref: FormRef
  /** The resource that is changed; undefined for a new one. */
  saved: object | undefined
  /** A save was refused because another user has changed the same resource. The user chooses between the values field by field. */
  merge: Merge | undefined
  /** The newest version. */
  theirs: Tagged<unknown> | undefined
  /** Another user has changed the resource, and the form has not overwritten it yet. */
  newer: Newer | undefined
  /** A refusal that belongs to no field. */
  failure: Error | undefined
  isSaving: boolean
  /** True if leaving now would lose the user's input. */
  loses: () => boolean
  submit: () => void
  /** The requests that a save would send now. */
  calls: () => Promise<Call[]>
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const attempts = 3

type Saving<Draft extends object, Document extends object, Saved> = Pick<
  Options<Draft, Document, string, Saved>,
  'editing' | 'save'
>

/** Saves again over a newer version that differs only outside of the form, such as in a total or the last sign-in. */
async function saveWithRetry<Draft extends object, Document extends object, Saved>(
  { editing, save }: Saving<Draft, Document, Saved>,
  sent: Sent<Draft, Document>,
  attempt = 1,
): Promise<Saved> {
  try {
    return await save(sent)
  } catch (error) {
    const newest = isStaleWrite(error) ? (await editing?.read?.refetch())?.data : undefined
    const isUntouched =
      editing &&
      newest &&
      sent.current &&
      isSame(editing.draftOf(newest.document), editing.draftOf(sent.current.document))
    if (!isUntouched || attempt === attempts) throw error
    return saveWithRetry({ editing, save }, { draft: sent.draft, current: newest }, attempt + 1)
  }
}

type FormRef = RefObject<HTMLFormElement | null>

/** Moves the focus to the first field with a fault, once the fault is shown. */
function useFaultFocus(ref: FormRef, { submits, isRefused }: { submits: number; isRefused: boolean }): void {
  useEffect(() => {
    if (submits > 0 || isRefused) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [ref, submits, isRefused])
}

/**
 * The state of a form that creates or changes one resource: draft, faults at their fields, conflict with another person's change. Show
 * it with `ResourceForm` on a page of its own, with `ResourceDialog` in a dialog.
 * The draft builds on `base`. `current` may be newer: a save over a newer version is refused, and the user decides whose version stays.
 */
export function useResourceForm<
  Draft extends object,
  Document extends object,
  Field extends string,
  Saved = Document,
>(options: Options<Draft, Document, Field, Saved>) {
  const { first, editing, check, names, done, onDone } = options
  const notify = useFlash()
  const current = editing?.read?.data
  const ref = useRef<HTMLFormElement>(null)
  const isSaved = useRef(false)
  const [version, setVersion] = useState(() => ({
    loaded: current,
    base: current && editing ? editing.draftOf(current.document) : first,
  }))
  const [draft, setDraft] = useState(version.base)
  const [submits, setSubmits] = useState(0)
  const [isCompared, setCompared] = useState(false)

  const guard = useOneAtATime()
  const saving = useMutation({
    mutationFn: async ({ base, ...sent }: Sent<Draft, Document> & { base: Draft }) => {
      const isMeant = (await options.review?.(sent, base)) ?? true
      return isMeant && { saved: await saveWithRetry(options, sent) }
    },
  })
  const conflict = isConflict(saving.error, version.loaded, current)
  const refused = faultsByField<Field>(saving.error, draft, names?.(draft))
  const errors: FieldErrors<Field> = { ...refused.fields, ...(submits > 0 && check(draft, version.base)) }
  const isChanged = !isSame(draft, version.base)
  const isNewer =
    current !== undefined &&
    editing !== undefined &&
    current.etag !== version.loaded?.etag &&
    !isSame(editing.draftOf(current.document), version.base)
  const { merge, typed, end } = useMerge<Draft>({
    shown: editing?.shown ?? ({} as ShownFields<Draft>),
    version: conflict || (isCompared && isNewer) ? current?.etag : undefined,
    before: version.base,
    theirs: current && editing?.draftOf(current.document),
    draft,
    onDraft: setDraft,
  })

  useFaultFocus(ref, { submits, isRefused: saving.isError })

  const saveOver = (target: Tagged<Document> | undefined) => {
    if (isSaved.current || (merge && !merge.isDecided)) return
    setSubmits(submits + 1)
    if (Object.keys(check(draft, version.base)).length > 0) return
    const base = target && editing ? editing.draftOf(target.document) : version.base
    if (target) setVersion({ loaded: target, base })
    setCompared(false)
    end()
    const onSuccess = (result: { saved: Saved } | false) => {
      if (!result) return
      isSaved.current = true
      focusMade(result.saved)
      notify(done(result.saved, draft))
      onDone(result.saved)
    }
    guard(() => saving.mutateAsync({ draft, base, ...(target && { current: target }) }, { onSuccess }))
  }

  const change = (changes: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...changes }))
    typed(changes)
    if (!conflict) saving.reset()
  }

  return {
    ref,
    draft,
    base: version.base,
    saved: version.loaded?.document,
    errors,
    change,
    field: (name) => ({
      value: draft[name],
      error: errors[name],
      onChange: (value) => change({ [name]: value } as unknown as Partial<Draft>),
    }),
    merge,
    theirs: current,
    newer:
      isNewer && !merge && (saving.isIdle || saving.isError)
        ? { current, compare: () => setCompared(true) }
        : undefined,
    failure: conflict ? undefined : refused.rest,
    isSaving: saving.isPending,
    loses: () => !isSaved.current && isChanged,
    submit: () => saveOver(merge ? current : version.loaded),
    calls: () => {
      const over = merge ? current : version.loaded
      return rehearseChange(() => options.save({ draft, ...(over && { current: over }) }))
    },
  } satisfies ResourceFormState & FormFields<Draft, Field> & Record<string, unknown>
}
