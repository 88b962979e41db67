import { useLocale, useTranslations } from 'use-intl'
import { Optional } from '#components/base/forms/optional'
import type { FormFields } from '#components/base/forms/use-resource-form'
import { TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Radio } from '#components/kit/radio'
import { SERVICE } from '#lib/people/identity/users.schema'
import { LanguageField } from './language-field'
import { localeOptions } from './locales'
import type { UserDraft, UserField } from './user-draft'

export type FieldsProps = FormFields<UserDraft, UserField>

/** Whether a new user is a person or a program. */
export function KindField({ draft, change }: FieldsProps) {
  const say = useTranslations('users.form.kind')
  return (
    <Card title={say('label')}>
      <Radio
        label={say('label')}
        labelUnseen
        value={draft.isService ? SERVICE : ''}
        onChange={(kind) => change({ isService: kind === SERVICE, password: '' })}
        choices={[
          { value: '', text: say('person'), about: say('personHint') },
          { value: SERVICE, text: say('service'), about: say('serviceHint') },
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
  const verbatim = { autoComplete: 'off', spellCheck: false }
  return (
    <Card title={label('person')}>
      <Stack gap="l">
        <TextField {...field('nick')} {...verbatim} label={label('nick')} hint={say('nickHint')} required />
        <TextField {...field('name')} {...verbatim} label={label('firstName')} required />
        <TextField {...field('surname')} {...verbatim} label={<Optional>{label('surname')}</Optional>} />
        <TextField
          {...field('email')}
          {...verbatim}
          label={<Optional>{label('email')}</Optional>}
          hint={say('emailHint')}
          type="email"
          inputMode="email"
        />
        <TextField {...field('description')} label={<Optional>{label('description')}</Optional>} />
        <LocaleField {...form} />
      </Stack>
    </Card>
  )
}

function LocaleField({ draft, errors, change }: FieldsProps) {
  const say = useTranslations('users.form')
  const reader = useLocale()
  return (
    <LanguageField
      hint={say('languageHint')}
      error={errors.locale}
      locale={draft.locale}
      options={localeOptions(reader, draft.locale).map(({ value, label, isTranslated }) => ({
        id: value,
        name: label,
        about: isTranslated && say('complete'),
      }))}
      onChange={(locale) => change({ locale })}
    />
  )
}
