import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Form from '@cloudscape-design/components/form'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useNavigate } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Conflict } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useResourceForm } from '#components/forms/use-resource-form'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'
import { useSession } from '#components/session/session'
import { localeName } from '#components/users/locales'
import { draftOfUser, sentUser } from '#components/users/user-draft'
import type { Tagged } from '#lib/client/resources.queries'
import { tellTabs } from '#lib/client/tabs'
import type { UserDocument } from '#lib/identity/identity.schema'
import { useSaveUser } from '#lib/identity/users.queries'
import { LanguageFields } from './language-fields'
import {
  checkProfile,
  fieldOfProfileFault,
  type Profile,
  type ProfileField,
  profileOf,
} from './profile-draft'
import { ProfileFields } from './profile-fields'

type ProfileFormProps = {
  /** The newest that is known of the user. */
  current: Tagged<UserDocument>
  /** Reads it anew. */
  refresh: () => Promise<unknown>
}

/** What everybody may change of himself, whatever his privileges. */
export function ProfileForm({ current, refresh }: ProfileFormProps) {
  const say = useTranslations('account.editProfile')
  const sayEmail = useTranslations('users.faults')
  const sayText = useTranslations('datacenters.faults')
  const { provider } = useSession()
  const navigate = useNavigate()
  const notify = useFlash()
  const saving = useSaveUser()
  const theirs = useTheirProfile(current.document)
  const form = useResourceForm<Profile, UserDocument, ProfileField>({
    first: profileOf(current.document),
    current,
    refresh,
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
  const fields = { draft: form.draft, errors: form.errors, onChange: form.change }
  return (
    <form ref={form.ref} onSubmit={form.submit} noValidate>
      <Form actions={<Actions isSaving={form.isSaving} isBlocked={form.conflict} />}>
        <SpaceBetween size="l">
          {form.conflict && (
            <Conflict
              theirs={theirs}
              isSaving={form.isSaving}
              onKeepMine={form.saveMine}
              onTakeTheirs={form.takeTheirs}
            />
          )}
          {form.failure && <Failure error={form.failure} />}
          {provider && <Alert type="info">{say('fromProvider')}</Alert>}
          <ProfileFields {...fields} />
          <LanguageFields {...fields} />
        </SpaceBetween>
      </Form>
      <LeaveGuard loses={form.loses} header={say('leave')}>
        {say('leaveText')}
      </LeaveGuard>
    </form>
  )
}

function Actions({ isSaving, isBlocked }: { isSaving: boolean; isBlocked: boolean }) {
  const say = useTranslations('account.editProfile')
  const sayCommon = useTranslations('common')
  const follow = useFollow()
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" formAction="none" href={paths.account()} onFollow={follow}>
        {sayCommon('cancel')}
      </Button>
      <Button
        variant="primary"
        loading={isSaving}
        loadingText={say('saving')}
        disabled={isBlocked}
        disabledReason={say('decideFirst')}
      >
        {sayCommon('save')}
      </Button>
    </SpaceBetween>
  )
}

/** Says it in the language that the console speaks since then. */
const ProfileSaved = () => useTranslations('account.editProfile')('saved')

/** What somebody else has made of the profile in the meantime. */
function useTheirProfile({ name, surname, email, description, locale }: UserDocument) {
  const say = useTranslations('account.editProfile')
  const sayProfile = useTranslations('account.profile')
  const none = useTranslations('common')('none')
  const reader = useLocale()
  return [
    { label: sayProfile('fullName'), value: `${name} ${surname}`.trim() },
    { label: say('email'), value: email || none },
    { label: say('description'), value: description || none },
    { label: say('language'), value: localeName(locale, reader) },
  ]
}
