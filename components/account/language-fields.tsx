import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { createFormatter, useLocale, useNow, useTimeZone, useTranslations } from 'use-intl'
import type { FormFields } from '#components/forms/use-resource-form'
import { Card } from '#components/layout/card'
import { localeName } from '#components/users/locales'
import { speechFor } from '#lib/words/language'
import { languageOptions, spokenAs } from './language-options'
import type { Profile, ProfileField } from './profile-draft'

/** The language of the console, and the format of dates and numbers. */
export function LanguageFields({ draft: { locale }, errors, change }: FormFields<Profile, ProfileField>) {
  const say = useTranslations('account.editProfile')
  const reader = useLocale()
  const spoken = spokenAs(locale)
  return (
    <Card title={say('speech')}>
      <SpaceBetween size="m">
        <FormField
          label={say('language')}
          constraintText={spoken === 'complete' ? say('completeHint') : say(spoken)}
          errorText={errors.locale}
          stretch
        >
          <Select
            selectedOption={{ value: locale, label: localeName(locale, reader) }}
            options={languageOptions(say, reader, locale)}
            filteringType="auto"
            filteringPlaceholder={say('find')}
            filteringAriaLabel={say('find')}
            empty={say('none')}
            noMatch={say('none')}
            onChange={({ detail }) => change({ locale: detail.selectedOption.value ?? locale })}
          />
        </FormField>
        <Example locale={locale} />
      </SpaceBetween>
    </Card>
  )
}

/** A date and a number in the chosen format, before it is saved. */
function Example({ locale }: { locale: string }) {
  const say = useTranslations('account.editProfile')
  const timeZone = useTimeZone()
  const now = useNow()
  const tag = speechFor(locale).locale
  const format = createFormatter({ locale: tag, ...(timeZone && { timeZone }) })
  return (
    <Box color="text-body-secondary">
      {say('example')}
      <br />
      <span lang={new Intl.Locale(tag).language}>
        {format.dateTime(now, { dateStyle: 'full', timeStyle: 'short' })} · {format.number(1_234_567.89)}
      </span>
    </Box>
  )
}
