import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localeName, localeOptions } from './locales'
import type { UserDraft, UserField } from './user-draft'

export type FieldsProps = {
  draft: UserDraft
  errors: Partial<Record<UserField, ReactNode>>
  onChange: (changes: Partial<UserDraft>) => void
}

/** Who the user is. */
export function PersonFields({ draft, errors, onChange }: FieldsProps) {
  const say = useTranslations('users.form')
  const sayCommon = useTranslations('common')
  const text = (field: 'nick' | 'name' | 'surname' | 'email' | 'description', required = false) => (
    <Input
      value={draft[field]}
      ariaRequired={required}
      {...(field === 'email' && { type: 'email' as const, inputMode: 'email' as const })}
      {...(field !== 'description' && { autoComplete: false, spellcheck: false })}
      onChange={({ detail }) => onChange({ [field]: detail.value })}
    />
  )
  const optional = (label: string) => (
    <>
      {label} <i>– {sayCommon('optional')}</i>
    </>
  )
  return (
    <Container header={<Header variant="h2">{say('person')}</Header>}>
      <SpaceBetween size="l">
        <FormField label={say('nick')} constraintText={say('nickHint')} errorText={errors.nick} stretch>
          {text('nick', true)}
        </FormField>
        <FormField label={say('name')} errorText={errors.name} stretch>
          {text('name', true)}
        </FormField>
        <FormField label={optional(say('surname'))} errorText={errors.surname} stretch>
          {text('surname')}
        </FormField>
        <FormField
          label={optional(say('email'))}
          constraintText={say('emailHint')}
          errorText={errors.email}
          stretch
        >
          {text('email')}
        </FormField>
        <FormField label={optional(say('description'))} errorText={errors.description} stretch>
          {text('description')}
        </FormField>
        <LocaleField draft={draft} errors={errors} onChange={onChange} />
      </SpaceBetween>
    </Container>
  )
}

function LocaleField({ draft, errors, onChange }: FieldsProps) {
  const say = useTranslations('users.form')
  const reader = useLocale()
  const options = localeOptions(reader, draft.locale).map(({ value, label, isTranslated }) => ({
    value,
    label,
    filteringTags: [value],
    ...(isTranslated && { labelTag: say('complete') }),
  }))
  return (
    <FormField label={say('language')} constraintText={say('languageHint')} errorText={errors.locale} stretch>
      <Select
        selectedOption={{ value: draft.locale, label: localeName(draft.locale, reader) }}
        options={options}
        filteringType="auto"
        filteringPlaceholder={say('languageFind')}
        filteringAriaLabel={say('languageFind')}
        empty={say('languageNone')}
        noMatch={say('languageNone')}
        onChange={({ detail }) => onChange({ locale: detail.selectedOption.value ?? draft.locale })}
      />
    </FormField>
  )
}
