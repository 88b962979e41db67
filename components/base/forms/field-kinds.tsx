import { useTranslations } from 'use-intl'
import { Field, TextField, type TextFieldProps } from '#components/kit/field'
import { Switch } from '#components/kit/switch'
import { type LinkDocument, type Named, namedBy } from '#lib/ground/http/view'
import { type FieldKind, type FieldWord, useWord } from './declared-form'

type TextLook = Pick<TextFieldProps, 'type' | 'inputMode' | 'placeholder' | 'autoComplete' | 'spellCheck'>

/** One line of text. */
export const textLine = (look: TextLook = {}): FieldKind<string> => ({
  Input: ({ form: _, ...field }) => <TextField autoComplete="off" {...look} {...field} />,
  send: (text) => text.trim(),
  Text: ({ value }) => {
    const none = useTranslations('common')('none')
    return value || none
  },
})

type SwitchWords = {
  /** What being on means, beside the switch. */
  name: FieldWord
  /** In a conflict. */
  on: FieldWord
  off: FieldWord
}

/** On or off. */
export const toggle = <Document extends object>(
  words: SwitchWords,
  /** Why it cannot be changed now. */
  useRefusal: (saved: Document | undefined) => string | undefined = () => undefined,
): FieldKind<boolean, boolean, object, Document> => ({
  Input: ({ label, hint, error, value, onChange, form }) => {
    const word = useWord()
    const refused = useRefusal(form.saved)
    return (
      <Field role="group" label={label} error={error}>
        {() => (
          <Switch on={value} about={hint} refused={refused} onChange={onChange}>
            {word(words.name)}
          </Switch>
        )}
      </Field>
    )
  },
  Text: ({ value }) => useWord()(value ? words.on : words.off),
})

/** A link by its name and id: what each picker of one resource shares. */
export const linked = {
  empty: undefined,
  read: (document: { links: readonly LinkDocument[] }, name: string) => namedBy(document, name),
  send: (chosen: Named | undefined) => chosen?.id,
  Text: ({ value }: { value: Named | undefined }) => {
    const none = useTranslations('common')('none')
    return value?.name ?? none
  },
} satisfies Omit<FieldKind<Named | undefined, number | undefined>, 'Input'>
