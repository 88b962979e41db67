import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Option, Picker } from '#components/kit/picker'

type LanguageFieldProps = {
  hint: ReactNode
  error: ReactNode
  locale: string
  options: readonly Option<string>[]
  onChange: (locale: string) => void
}

/** One of many languages, found by its name or by its code. */
export function LanguageField({ hint, error, locale, options, onChange }: LanguageFieldProps) {
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
      value={options.find(({ id }) => id === locale)}
      options={options.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(word))}
      onSearch={setHas}
      onChange={(chosen) => chosen && onChange(chosen.id)}
    />
  )
}
