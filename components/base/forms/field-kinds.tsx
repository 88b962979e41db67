import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Field, TextField, type TextFieldProps } from '#components/kit/field'
import { Switch } from '#components/kit/switch'
import { type LinkDocument, type Named, namedBy } from '#lib/ground/http/view'
import type { FieldKind } from './declared-form'

type TextLook = Pick<TextFieldProps, 'type' | 'inputMode' | 'placeholder' | 'autoComplete' | 'spellCheck'>

/** One line of text. */
export const textLine = (look: TextLook = {}): FieldKind<string> => ({
  Input: ({ label, ...field }) => <TextField autoComplete="off" {...look} {...field} label={label} />,
  Text: ({ value }) => {
    const none = useTranslations('common')('none')
    return value || none
  },
})

type SwitchWords = {
  /** What being on means, beside the switch. */
  name: string
  /** In a conflict. */
  on: string
  off: string
  about?: ReactNode
}

/** On or off. */
export const toggle = (useWords: () => SwitchWords): FieldKind<boolean> => ({
  Input: ({ label, hint, error, value, onChange }) => {
    const { name, about } = useWords()
    return (
      <Field role="group" label={label} error={error}>
        {() => (
          <Switch on={value} about={hint ?? about} onChange={onChange}>
            {name}
          </Switch>
        )}
      </Field>
    )
  },
  Text: ({ value }) => {
    const { on, off } = useWords()
    return value ? on : off
  },
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
