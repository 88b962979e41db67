import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { FieldKind, InputProps } from '#components/base/forms/declared-form'
import { type Option, Picker } from '#components/kit/picker'
import { localeName, localeOptions } from './locales'

type LanguageFieldProps = Pick<InputProps<string>, 'hint' | 'error' | 'value' | 'onChange'> & {
  options: readonly Option<string>[]
}

/** One of many languages, found by its name or by its code. */
export function LanguageField({ hint, error, value, options, onChange }: LanguageFieldProps) {
  const label = useTranslations('labels')
  const [has, setHas] = useState('')
  const word = has.toLowerCase()
  return (
    <Picker
      label={label('language')}
      hint={hint}
      error={error}
      placeholder={label('findLanguages')}
      empty={label('noLanguage')}
      value={options.find(({ id }) => id === value)}
      options={options.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(word))}
      onSearch={setHas}
      onChange={(chosen) => chosen && onChange(chosen.id)}
    />
  )
}

/** A language, or a language and a country. */
export const language: FieldKind<string> = {
  Input: (field) => {
    const say = useTranslations('users.form')
    const options = localeOptions(useLocale(), field.value).map(({ value, label, isTranslated }) => ({
      id: value,
      name: label,
      about: isTranslated && say('complete'),
    }))
    return <LanguageField {...field} options={options} />
  },
  Text: ({ value }) => localeName(value, useLocale()),
}
