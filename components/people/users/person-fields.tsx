import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useLocale, useTranslations } from 'use-intl'
import { Optional, TextField } from '#components/base/forms/text-field'
import type { FormFields } from '#components/base/forms/use-resource-form'
import { Card } from '#components/frame/layout/card'
import { SERVICE } from '#lib/people/identity/users.schema'
import { localeName, localeOptions } from './locales'
import type { UserDraft, UserField } from './user-draft'

export type FieldsProps = FormFields<UserDraft, UserField>

/** Whether a new user is a person or a program. */
export function KindField({ draft, change }: FieldsProps) {
  const say = useTranslations('users.form.kind')
  return (
    <Card title={say('label')}>
      <RadioGroup
        ariaLabel={say('label')}
        value={draft.isService ? SERVICE : ''}
        onChange={({ detail }) => change({ isService: detail.value === SERVICE, password: '' })}
        items={[
          { value: '', label: say('person'), description: say('personHint') },
          { value: SERVICE, label: say('service'), description: say('serviceHint') },
        ]}
      />
    </Card>
  )
}

/** Personal data of the user. */
export function PersonFields(form: FieldsProps) {
  const { field } = form
  const say = useTranslations('users.form')
  const label = useTranslations('labels')
  const verbatim = { autoComplete: false, spellcheck: false }
  return (
    <Card title={label('person')}>
      <SpaceBetween size="l">
        <TextField
          {...field('nick')}
          {...verbatim}
          label={label('nick')}
          constraintText={say('nickHint')}
          ariaRequired
        />
        <TextField {...field('name')} {...verbatim} label={label('firstName')} ariaRequired />
        <TextField {...field('surname')} {...verbatim} label={<Optional>{label('surname')}</Optional>} />
        <TextField
          {...field('email')}
          {...verbatim}
          label={<Optional>{label('email')}</Optional>}
          constraintText={say('emailHint')}
          type="email"
          inputMode="email"
        />
        <TextField {...field('description')} label={<Optional>{label('description')}</Optional>} />
        <LocaleField {...form} />
      </SpaceBetween>
    </Card>
  )
}

function LocaleField({ draft, errors, change }: FieldsProps) {
  const say = useTranslations('users.form')
  const sayLabel = useTranslations('labels')
  const reader = useLocale()
  const options = localeOptions(reader, draft.locale).map(({ value, label, isTranslated }) => ({
    value,
    label,
    filteringTags: [value],
    ...(isTranslated && { labelTag: say('complete') }),
  }))
  return (
    <FormField
      label={sayLabel('language')}
      constraintText={say('languageHint')}
      errorText={errors.locale}
      stretch
    >
      <Select
        selectedOption={{ value: draft.locale, label: localeName(draft.locale, reader) }}
        options={options}
        filteringType="auto"
        filteringPlaceholder={sayLabel('findLanguages')}
        filteringAriaLabel={sayLabel('findLanguages')}
        empty={sayLabel('noLanguage')}
        noMatch={sayLabel('noLanguage')}
        onChange={({ detail }) => change({ locale: detail.selectedOption.value ?? draft.locale })}
      />
    </FormField>
  )
}
