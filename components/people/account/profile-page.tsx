import { useNavigate } from 'react-router'
import { createFormatter, useLocale, useNow, useTimeZone, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import type { ShownFields } from '#components/base/forms/merge'
import { Optional } from '#components/base/forms/optional'
import { ResourceForm } from '#components/base/forms/resource-form'
import { type FormFields, type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { LanguageField } from '#components/people/users/language-field'
import { localeName } from '#components/people/users/locales'
import { draftOfUser, sentUser } from '#components/people/users/user-draft'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { tellTabs } from '#lib/client/tabs'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { userQuery, useSaveUser } from '#lib/people/identity/users.queries'
import { speechFor } from '#lib/words/language'
import { languageOptions, spokenAs } from './language-options'
import { checkProfile, type Profile, type ProfileField, profileOf } from './profile-draft'

export function Component() {
  const say = useTranslations('account')
  const { id, enterprise } = useSession()
  const read = useFresh(userQuery(enterprise.id, id))
  return (
    <Page
      title={say('editProfile.title')}
      description={say('editProfile.about')}
      breadcrumbs={[{ text: say('title'), href: paths.account() }]}
      maxContentWidth={800}
    >
      {read.data ? <ProfileForm current={read.data} read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}

type ProfileFormProps = { current: Tagged<UserDocument>; read: Read<UserDocument> }

/** The fields of their own account that every user may change, whatever their privileges. */
function ProfileForm({ current, read }: ProfileFormProps) {
  const say = useTranslations('account.editProfile')
  const sayEmail = useTranslations('users.faults')
  const sayText = useTranslations('forms.faults')
  const { provider } = useSession()
  const navigate = useNavigate()
  const saving = useSaveUser()
  const form = useResourceForm<Profile, UserDocument, ProfileField>({
    first: profileOf(current.document),
    editing: { read, draftOf: profileOf, shown: useShownProfile() },
    check: (draft) => checkProfile(sayText, sayEmail, draft),
    save: ({ draft, current: over = current }) =>
      saving.mutateAsync({ draft: sentUser({ ...draftOfUser(over.document), ...draft }), current: over }),
    // The console speaks the new language by then; the other tabs learn of it.
    done: () => ({ type: 'success', content: <ProfileSaved /> }),
    onDone: () => {
      tellTabs({ type: 'session' })
      void navigate(paths.account())
    },
  })
  return (
    <ResourceForm form={form} back={paths.account()}>
      {provider && <Notice>{say('fromProvider')}</Notice>}
      <ProfileFields {...form} />
      <LanguageFields {...form} />
    </ResourceForm>
  )
}

/** A component, so that the message is in the language that was just chosen. */
const ProfileSaved = () => useTranslations('account.editProfile')('saved')

function useShownProfile(): ShownFields<Profile> {
  const label = useTranslations('labels')
  const none = useTranslations('common')('none')
  const reader = useLocale()
  const text = (value: string) => value || none
  return {
    name: { label: label('firstName'), text },
    surname: { label: label('surname'), text },
    email: { label: label('email'), text },
    description: { label: label('description'), text },
    locale: { label: label('language'), text: (locale) => localeName(locale, reader) },
  }
}

function ProfileFields({ field }: FormFields<Profile, ProfileField>) {
  const say = useTranslations('account.editProfile')
  const label = useTranslations('labels')
  const { twoFactorProvider } = useSession()
  const takesCodes = twoFactorProvider === 'EMAIL'
  const email = takesCodes ? label('email') : <Optional>{label('email')}</Optional>
  return (
    <Card title={label('person')}>
      <Stack gap="l">
        <TextField {...field('name')} label={label('firstName')} autoComplete="given-name" required />
        <TextField
          {...field('surname')}
          label={<Optional>{label('surname')}</Optional>}
          autoComplete="family-name"
        />
        <TextField
          {...field('email')}
          label={email}
          hint={say(takesCodes ? 'emailCodes' : 'emailHint')}
          type="email"
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
        />
        <TextField
          {...field('description')}
          label={<Optional>{label('description')}</Optional>}
          hint={say('descriptionHint')}
          autoComplete="off"
        />
      </Stack>
    </Card>
  )
}

/** The language of the console, and the format of dates and numbers. */
function LanguageFields({ draft: { locale }, errors, change }: FormFields<Profile, ProfileField>) {
  const say = useTranslations('account.editProfile')
  const reader = useLocale()
  const spoken = spokenAs(locale)
  return (
    <Card title={say('speech')}>
      <Stack>
        <LanguageField
          hint={spoken === 'complete' ? say('completeHint') : say(spoken)}
          error={errors.locale}
          locale={locale}
          options={languageOptions(say, reader, locale)}
          onChange={(chosen) => change({ locale: chosen })}
        />
        <Example locale={locale} />
      </Stack>
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
    <div className="quiet">
      {say('example')}
      <br />
      <span lang={new Intl.Locale(tag).language}>
        {format.dateTime(now, { dateStyle: 'full', timeStyle: 'short' })} · {format.number(1_234_567.89)}
      </span>
    </div>
  )
}
