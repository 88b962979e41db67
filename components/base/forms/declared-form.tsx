import type { ComponentType, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { z } from 'zod'
import type { Tagged } from '#lib/client/resources.queries'
import { emptyOf } from '#lib/ground/http/fields.schema'
import type { LabelId, Say, WordId } from '#lib/words/words'
import type { FlashMessage } from './flash'
import { type FieldErrors, type FieldNames, isLength, textFault } from './form-faults'
import type { ShownField, ShownFields } from './merge'
import { type Read, useResourceForm } from './use-resource-form'

/* A form as a table of fields. The draft is the input of the API with links as names; all else follows from the table. */

/** The form around a field, for a field that depends on others. `Draft`: the fields that it looks at. */
export type Around<Draft = object, Document = object> = {
  draft: Draft
  /** What the form began with. */
  base: Draft
  change: (changes: Partial<Draft>) => void
  isSaving: boolean
  /** The resource that is changed; undefined for a new one. */
  saved: Document | undefined
}

export type InputProps<Value, Draft = object, Document = object> = {
  label: ReactNode
  hint: ReactNode
  error: ReactNode
  value: Value
  required: boolean
  /** The first field of a dialog. */
  autoFocus: boolean
  onChange: (value: Value) => void
  form: Around<Draft, Document>
}

/** How a value is edited, begins, is read from a document, and is sent. */
export type FieldKind<Value, Sent = Value, Draft = object, Document = object> = {
  Input: ComponentType<InputProps<Value, Draft, Document>>
  /** Without it, the default of the input, or an empty value. */
  empty?: Value
  /** Without it, the field of the document. */
  read?: (document: never, name: string) => Value
  send?: (value: Value) => Sent
  /** In a conflict with the change of another user. Without it, only this form has the field, such as a new password. */
  Text?: ComponentType<{ value: Value }>
  /** The same of a list, whose members are shown and merged one by one. */
  Members?: ComponentType<{ value: Value }>
}

/** What else a form says about a field. */
export type AboutProps<Value, Draft = object> = { value: Value; form: Around<Draft, { id: number }> }

/** A label, or any other text by its path. */
export type FieldWord = LabelId | WordId

export type FormField<Value, Sent = Value, Draft = object, Document = object> = {
  as: FieldKind<Value, Sent, Draft, Document>
  label: FieldWord
  hint?: FieldWord
  about?: ComponentType<AboutProps<Value, Draft>>
  /** The field is required, and this is the fault of an empty one. */
  missing?: FieldWord
  /** The fault of a value that the input refuses for another reason than its length. */
  wrong?: FieldWord
  /** The heading of the card that begins with this field; `false`: outside of a card. */
  card?: { title: FieldWord; about?: FieldWord } | false
  /** Only a new resource has the field. */
  isForNew?: true
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of all values.
export type Table = Readonly<Record<string, FormField<any, any, any, any>>>

type ValueOf<F> = F extends FormField<infer Value, infer _, infer __, infer ___> ? Value : never
type SentOf<F> = F extends FormField<infer _, infer Sent, infer __, infer ___> ? Sent : never

/** The draft of a form: its fields with what is typed. */
export type DraftOf<T extends Table> = { [Name in keyof T]: ValueOf<T[Name]> }
export type SentBy<T extends Table> = { [Name in keyof T]: SentOf<T[Name]> }

export type DeclaredForm<T extends Table> = { input: z.ZodObject; fields: T }

// biome-ignore lint/suspicious/noExplicitAny: as above.
type Whole<Shape> = { [Name in Exclude<keyof Shape, 'links'>]: FormField<any, any, any, any> }

/** `input` has the rules of the texts, which the server checks too. A form without one of its fields does not compile. */
export const resourceForm = <Shape extends z.ZodRawShape, T extends Table & Whole<Shape>>(
  input: z.ZodObject<Shape>,
  fields: T,
): DeclaredForm<T> => ({ input, fields })

const each = <T extends Table>(fields: T, of: (field: T[string], name: string) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field as T[string], name)]))

export const ruleOf = ({ input }: { input: z.ZodObject }, name: string) =>
  input.shape[name] as z.ZodType | undefined

/** The draft of a new resource. */
export const emptyDraft = <T extends Table>(form: DeclaredForm<T>): DraftOf<T> =>
  each(form.fields, ({ as }, name) => {
    const rule = ruleOf(form, name)
    return 'empty' in as || !rule ? as.empty : emptyOf(rule)
  }) as DraftOf<T>

export const draftOf = <T extends Table>({ fields }: DeclaredForm<T>, document: object): DraftOf<T> =>
  each(fields, ({ as }, name) =>
    as.read ? as.read(document as never, name) : (document as Record<string, unknown>)[name],
  ) as DraftOf<T>

/** What is sent: texts without spaces around them, links as the ids of what they name. */
export const sentBy = <T extends Table>({ fields }: DeclaredForm<T>, draft: DraftOf<T>): SentBy<T> =>
  each(fields, ({ as }, name) => (as.send ? as.send(draft[name]) : draft[name])) as SentBy<T>

type ErrorsOf<T extends Table> = FieldErrors<Extract<keyof T, string>>

const isEmpty = (value: unknown): boolean =>
  value === undefined || ((typeof value === 'string' || Array.isArray(value)) && value.length === 0)

type SayWord = (word: FieldWord, values?: Record<string, string>) => string

const pathOf = (word: FieldWord): string => (word.includes('.') ? word : `labels.${word}`)

export const useWord = (): SayWord => {
  const say = useTranslations() as (path: string, values?: Record<string, string>) => string
  return (word, values) => say(pathOf(word), values)
}

type Says = { word: SayWord; sayText: Say<'forms.faults'> }

/** The faults that the server would find in each field. */
export const faultsOf = <T extends Table>(
  { word, sayText }: Says,
  form: DeclaredForm<T>,
  draft: DraftOf<T>,
): ErrorsOf<T> => {
  const sent: Record<string, unknown> = sentBy(form, draft)
  const found = Object.entries(form.fields).map(([name, { missing, wrong }]) => {
    const value = sent[name]
    if (missing && isEmpty(value)) return [name, word(missing)]
    const rule = ruleOf(form, name)
    const issue = value === undefined ? undefined : rule?.safeParse(value).error?.issues[0]
    if (!rule || !issue) return [name, undefined]
    const text = Array.isArray(value) ? value[Number(issue.path[0])] : value
    return [
      name,
      wrong && !isLength(issue) ? word(wrong, { text: String(text) }) : textFault(sayText, rule, issue),
    ]
  })
  return Object.fromEntries(found.filter(([, fault]) => fault)) as ErrorsOf<T>
}

type Sent<T extends Table, Document> = { draft: SentBy<T>; current?: Tagged<Document> }

export type FormOptions<T extends Table, Document, Saved> = {
  /** The resource to change; absent for a new one. */
  read?: Read<Document> | undefined
  first?: Partial<DraftOf<T>>
  /** Faults that the rules of the input do not know. */
  check?: (draft: DraftOf<T>, base: DraftOf<T>) => ErrorsOf<T>
  /** Before a save: false if the user goes back to the form. Its refusals are shown like those of the save. */
  review?: (sent: Sent<T, Document>, base: DraftOf<T>) => Promise<boolean>
  save: (sent: Sent<T, Document>) => Promise<Saved>
  /** Parts of the API's fields that are fields of the form. */
  names?: (draft: DraftOf<T>) => FieldNames<Extract<keyof T, string>>
  done: (saved: Saved) => string | FlashMessage
  onDone: (saved: Saved) => void
}

/** The state of a declared form, for a form of its own look; others are `FormOnPage` and `FormInDialog`. */
export function useDeclaredForm<T extends Table, Document extends object, Saved = Document>(
  form: DeclaredForm<T>,
  { read, first, check, review, save, ...rest }: FormOptions<T, Document, Saved>,
) {
  const says = { word: useWord(), sayText: useTranslations('forms.faults') }
  return useResourceForm<DraftOf<T>, Document, Extract<keyof T, string>, Saved>({
    ...rest,
    first: { ...emptyDraft(form), ...first },
    editing: { read, draftOf: (document) => draftOf(form, document), shown: useShown(form.fields) },
    check: (draft, base) => withoutNone({ ...faultsOf(says, form, draft), ...check?.(draft, base) }),
    review: review && (({ draft, ...over }, base) => review({ draft: sentBy(form, draft), ...over }, base)),
    save: ({ draft, ...over }) => save({ draft: sentBy(form, draft), ...over }),
  })
}

/** A check of the form may clear a fault that the rules of the input found. */
const withoutNone = <Faults extends object>(faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault)) as Faults

function useShown<T extends Table>(fields: T): ShownFields<DraftOf<T>> {
  const word = useWord()
  return each(fields, ({ as: { Text, Members }, label }): ShownField<unknown> | null => {
    if (Members) return { label: word(label), members: (value) => <Members value={value} /> }
    return Text ? { label: word(label), text: (value) => <Text value={value} /> } : null
  }) as ShownFields<DraftOf<T>>
}
