import type { ComponentType, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { z } from 'zod'
import { Stack } from '#components/kit/layout'
import { bare, emptyOf, trimmed } from '#lib/ground/http/fields.schema'
import type { LabelId } from '#lib/words/words'
import { type FieldErrors, textFaults } from './form-faults'
import type { ShownField, ShownFields } from './merge'
import { Optional } from './optional'
import { type FormFields, type Read, useResourceForm } from './use-resource-form'

/* A form as a table of fields. The draft is the input of the API with links as names; all else follows from the table. */

export type InputProps<Value> = {
  label: ReactNode
  hint: ReactNode
  error: ReactNode
  value: Value
  required: boolean
  /** The first field of a dialog. */
  autoFocus: boolean
  onChange: (value: Value) => void
}

/** How a value is edited, begins, is read from a document, and is sent. */
export type FieldKind<Value, Sent = Value> = {
  Input: ComponentType<InputProps<Value>>
  /** Without it, the default of the input, or an empty value. */
  empty?: Value
  /** Without it, the field of the document. */
  read?: (document: never, name: string) => Value
  send?: (value: Value) => Sent
  /** In a conflict with the change of another user. */
  Text: ComponentType<{ value: Value }>
}

/** What else a form says about a field. */
export type AboutProps<Value> = {
  value: Value
  /** What the form began with. */
  before: Value
  /** Of the resource that is changed. */
  id: number | undefined
}

export type FormField<Value, Sent = Value> = {
  as: FieldKind<Value, Sent>
  label: LabelId
  hint?: LabelId
  about?: ComponentType<AboutProps<Value>>
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of all values.
type Table = Readonly<Record<string, FormField<any, any>>>

type ValueOf<F> = F extends FormField<infer Value, infer _> ? Value : never
type SentOf<F> = F extends FormField<infer _, infer Sent> ? Sent : never

/** The draft of a form: its fields with what is typed. */
export type DraftOf<T extends Table> = { [Name in keyof T]: ValueOf<T[Name]> }
export type SentBy<T extends Table> = { [Name in keyof T]: SentOf<T[Name]> }

export type DeclaredForm<T extends Table> = { input: z.ZodObject; fields: T }

// biome-ignore lint/suspicious/noExplicitAny: as above.
type Whole<Shape> = { [Name in Exclude<keyof Shape, 'links'>]: FormField<any, any> }

/** `input` has the rules of the texts, which the server checks too. A form without one of its fields does not compile. */
export const resourceForm = <Shape extends z.ZodRawShape, T extends Table & Whole<Shape>>(
  input: z.ZodObject<Shape>,
  fields: T,
): DeclaredForm<T> => ({ input, fields })

const each = <T extends Table>(fields: T, of: (field: T[string], name: string) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field as T[string], name)]))

const ruleOf = ({ input }: { input: z.ZodObject }, name: string) => input.shape[name] as z.ZodType | undefined

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
  trimmed(
    each(fields, ({ as }, name) => (as.send ? as.send(draft[name]) : draft[name])),
  ) as unknown as SentBy<T>

type Options<T extends Table, Document, Saved> = {
  /** The resource to change; absent for a new one. */
  read?: Read<Document> | undefined
  first?: Partial<DraftOf<T>>
  /** Faults that the rules of the input do not know. */
  check?: (draft: DraftOf<T>) => FieldErrors<Extract<keyof T, string>>
  save: (sent: {
    draft: SentBy<T>
    current?: { document: Document; etag: string | undefined }
  }) => Promise<Saved>
  done: (saved: Saved) => string
  onDone: (saved: Saved) => void
}

/** The state of a declared form, for `ResourceForm` or `ResourceDialog`, and for `DeclaredFields` in it. */
export function useDeclaredForm<T extends Table, Document extends object, Saved = Document>(
  form: DeclaredForm<T>,
  { read, first, check, save, ...rest }: Options<T, Document, Saved>,
) {
  const sayText = useTranslations('forms.faults')
  return useResourceForm<DraftOf<T>, Document, Extract<keyof T, string>, Saved>({
    ...rest,
    first: { ...emptyDraft(form), ...first },
    editing: { read, draftOf: (document) => draftOf(form, document), shown: useShown(form.fields) },
    check: (draft) => ({
      ...(textFaults(sayText, form.input, trimmed(draft)) as FieldErrors<Extract<keyof T, string>>),
      ...check?.(draft),
    }),
    save: ({ draft, ...over }) => save({ draft: sentBy(form, draft), ...over }),
  })
}

function useShown<T extends Table>(fields: T): ShownFields<DraftOf<T>> {
  const label = useTranslations('labels')
  return each(
    fields,
    ({ as: { Text }, label: name }): ShownField<unknown> => ({
      label: label(name),
      text: (value) => <Text value={value} />,
    }),
  ) as ShownFields<DraftOf<T>>
}

type DeclaredFieldsProps<T extends Table> = {
  of: DeclaredForm<T>
  form: FormFields<DraftOf<T>, Extract<keyof T, string>> & { base: DraftOf<T> }
  id?: number | undefined
  inDialog?: boolean
}

type FieldState = Pick<InputProps<unknown>, 'value' | 'error' | 'onChange'>

/** The fields in the order of the table. */
export function DeclaredFields<T extends Table>({ of, form, id, inDialog = false }: DeclaredFieldsProps<T>) {
  const label = useTranslations('labels')
  return (
    <Stack gap="l">
      {(Object.keys(of.fields) as Extract<keyof T, string>[]).map((name, index) => {
        const { as, label: word, hint, about: About } = of.fields[name] as FormField<unknown>
        const rule = ruleOf(of, name)
        const mayBeEmpty = rule !== undefined && isText(rule) && rule.safeParse('').success
        return (
          <as.Input
            key={name}
            {...(form.field(name) as FieldState)}
            label={mayBeEmpty ? <Optional>{label(word)}</Optional> : label(word)}
            hint={
              About ? (
                <About value={form.draft[name]} before={form.base[name]} id={id} />
              ) : (
                hint && label(hint)
              )
            }
            required={!mayBeEmpty}
            autoFocus={inDialog && index === 0}
          />
        )
      })}
    </Stack>
  )
}

const isText = (rule: z.ZodType): boolean => bare(rule).type === 'string'
