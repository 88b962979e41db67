import FormField, { type FormFieldProps } from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

export type TextFieldProps = Omit<InputProps, 'onChange'> &
  Pick<FormFieldProps, 'label' | 'description' | 'constraintText' | 'warningText' | 'stretch'> & {
    error?: ReactNode
    onChange: (value: string) => void
  }

/** A labelled field for one line of text. In a form: `<TextField {...form.field('name')} label={say('name')} />`. */
export function TextField({
  label,
  description,
  constraintText,
  warningText,
  stretch = true,
  error,
  onChange,
  ...input
}: TextFieldProps) {
  const say = useTranslations('common')
  return (
    <FormField
      label={label}
      description={description}
      constraintText={constraintText}
      warningText={warningText}
      errorText={error}
      stretch={stretch}
      i18nStrings={{ errorIconAriaLabel: say('errorIcon') }}
    >
      <Input {...input} onChange={({ detail }) => onChange(detail.value)} />
    </FormField>
  )
}

/** The label of a field that may stay empty. */
export function Optional({ children }: { children: string }) {
  const say = useTranslations('common')
  return (
    <>
      {children} <i>– {say('optional')}</i>
    </>
  )
}
