import Alert from '@cloudscape-design/components/alert'
import { useNavigate } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Waiting } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { ResourceForm } from '#components/forms/resource-form'
import { type Read, useResourceForm } from '#components/forms/use-resource-form'
import { Page } from '#components/layout/page'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import { localeName } from '#components/users/locales'
import { draftOfUser, sentUser } from '#components/users/user-draft'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { tellTabs } from '#lib/client/tabs'
import type { UserDocument } from '#lib/identity/identity.schema'
import { userQuery, useSaveUser } from '#lib/identity/users.queries'
import { LanguageFields } from './language-fields'
import {
  checkProfile,
  fieldOfProfileFault,
  type Profile,
  type ProfileField,
  profileOf,
} from './profile-draft'
import { ProfileFields } from './profile-fields'

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
  const notify = useFlash()
  const saving = useSaveUser()
  const theirs = useTheirProfile()
  const form = useResourceForm<Profile, UserDocument, ProfileField>({
    first: profileOf(current.document),
    read,
    draftOf: profileOf,
    check: (draft) => checkProfile(sayText, sayEmail, draft),
    fieldOf: fieldOfProfileFault,
    save: ({ draft, current: over = current }) =>
      saving.mutateAsync({ draft: sentUser({ ...draftOfUser(over.document), ...draft }), current: over }),
    onSaved: () => {
      // The console speaks the new language by then; the other tabs learn of it.
      tellTabs({ type: 'session' })
      notify({ type: 'success', content: <ProfileSaved /> })
      void navigate(paths.account())
    },
  })
  return (
    <ResourceForm form={form} theirs={theirs} back={paths.account()}>
      {provider && <Alert type="info">{say('fromProvider')}</Alert>}
      <ProfileFields {...form} />
      <LanguageFields {...form} />
    </ResourceForm>
  )
}

/** A component, so that the message is in the language that was just chosen. */
const ProfileSaved = () => useTranslations('account.editProfile')('saved')

/** The saved profile, for a user whose own change met another one. */
function useTheirProfile() {
  const say = useTranslations('account.editProfile')
  const sayProfile = useTranslations('account.profile')
  const none = useTranslations('common')('none')
  const reader = useLocale()
  return ({ name, surname, email, description, locale }: UserDocument) => [
    { label: sayProfile('fullName'), value: `${name} ${surname}`.trim() },
    { label: say('email'), value: email || none },
    { label: say('description'), value: description || none },
    { label: say('language'), value: localeName(locale, reader) },
  ]
}
