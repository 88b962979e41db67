import { useNavigate } from 'react-router'
import { createFormatter, useLocale, useNow, useTimeZone, useTranslations } from 'use-intl'
import { type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormOnPage } from '#components/base/forms/declared-screens'
import { Waiting } from '#components/base/forms/failure'
import { textLine } from '#components/base/forms/field-kinds'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { TextField } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { LanguageField, language } from '#components/people/users/language-field'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { tellTabs } from '#lib/client/tabs'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { userQuery, useSaveProfile } from '#lib/people/identity/users.queries'
import { userInput } from '#lib/people/identity/users.schema'
import { speechFor } from '#lib/words/language'
import { languageOptions, spokenAs } from './language-options'

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

/** The fields of their own account that every user may change, whatever their privileges. */
export const profileForm = resourceForm(
  userInput.pick({ name: true, surname: true, email: true, description: true, locale: true }),
  {
    name: { as: textLine({ autoComplete: 'given-name' }), label: 'firstName', card: { title: 'person' } },
    surname: { as: textLine({ autoComplete: 'family-name' }), label: 'surname' },
    email: { as: { ...textLine(), Input: EmailInput }, label: 'email', wrong: 'users.faults.email' },
    description: { as: textLine(), label: 'description', hint: 'account.editProfile.descriptionHint' },
    locale: {
      as: { ...language, Input: LanguageInput },
      label: 'language',
      card: { title: 'account.editProfile.speech' },
    },
  },
)

type ProfileFormProps = { current: Tagged<UserDocument>; read: Read<UserDocument> }

function ProfileForm({ current, read }: ProfileFormProps) {
  const say = useTranslations('account.editProfile')
  const { provider } = useSession()
  const navigate = useNavigate()
  const saving = useSaveProfile()
  return (
    <FormOnPage
      of={profileForm}
      read={read}
      back={paths.account()}
      href={paths.account}
      notice={provider && <Notice>{say('fromProvider')}</Notice>}
      save={({ draft, current: over = current }) => saving.mutateAsync({ draft, current: over })}
      // The console speaks the new language by then; the other tabs learn of it.
      done={() => ({ type: 'success', content: <ProfileSaved /> })}
      onDone={() => {
        tellTabs({ type: 'session' })
        void navigate(paths.account())
      }}
    />
  )
}

/** A component, so that the message is in the language that was just chosen. */
const ProfileSaved = () => useTranslations('account.editProfile')('saved')

/** Not optional for users who get their codes by mail. */
function EmailInput({ form: _, label, ...field }: InputProps<string>) {
  const say = useTranslations('account.editProfile')
  const plain = useTranslations('labels')('email')
  const takesCodes = useSession().twoFactorProvider === 'EMAIL'
  return (
    <TextField
      {...field}
      label={takesCodes ? plain : label}
      hint={say(takesCodes ? 'emailCodes' : 'emailHint')}
      type="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
    />
  )
}

/** The language of the console, and the format of dates and numbers. */
function LanguageInput(field: InputProps<string>) {
  const say = useTranslations('account.editProfile')
  const reader = useLocale()
  const spoken = spokenAs(field.value)
  return (
    <Stack>
      <LanguageField
        {...field}
        hint={spoken === 'complete' ? say('completeHint') : say(spoken)}
        options={languageOptions(say, reader, field.value)}
      />
      <Example locale={field.value} />
    </Stack>
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
