import { useNavigate } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import type { ShownFields } from '#components/base/forms/merge'
import { ResourceForm } from '#components/base/forms/resource-form'
import { type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import type { Named } from '#lib/ground/http/view'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, useSaveUser } from '#lib/people/identity/users.queries'
import { AccessFields } from './access-fields'
import { localeName } from './locales'
import { KindField, PersonFields } from './person-fields'
import { SignInFields } from './sign-in-fields'
import { checkUser, draftOfUser, sentUser, type UserDraft, type UserField } from './user-draft'

type UserFormProps = {
  first: UserDraft
  /** The user to change; absent for a new one. */
  read?: Read<UserDocument>
}

/** Creates a user, or changes one. */
export function UserForm({ first, read }: UserFormProps) {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const sayText = useTranslations('forms.faults')
  const sayFault = useTranslations('users.faults')
  const navigate = useNavigate()
  const session = useSession()
  const saving = useSaveUser()
  const user = read?.data?.document
  const isNew = read === undefined
  const form = useResourceForm<UserDraft, UserDocument, UserField>({
    first,
    editing: { read, draftOf: draftOfUser, shown: useShownUser() },
    check: (draft) =>
      checkUser({ say: sayFault, sayText }, draft, { isNew, least: session.passwordMinLength }),
    save: ({ draft, ...over }) => saving.mutateAsync({ draft: sentUser(draft), ...over }),
    done: ({ nick }) => say('form.saved', { nick }),
    onDone: (user) => void navigate(paths.user(enterpriseOfUser(user) ?? 0, user.id)),
  })
  return (
    <ResourceForm
      form={form}
      label={isNew ? label('createUser') : undefined}
      back={user ? paths.user(enterpriseOfUser(user) ?? 0, user.id) : paths.users()}
    >
      {isNew && <KindField {...form} />}
      <PersonFields {...form} />
      <AccessFields {...form} />
      <SignInFields {...form} user={user} isSelf={user?.id === session.id} />
    </ResourceForm>
  )
}

function useShownUser(): ShownFields<UserDraft> {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const reader = useLocale()
  const text = (value: string) => value || '–'
  const name = (thing: Named | undefined) => thing?.name ?? '–'
  return {
    nick: { label: label('nick'), text },
    name: { label: label('firstName'), text },
    surname: { label: label('surname'), text },
    email: { label: label('email'), text },
    description: { label: label('description'), text },
    locale: { label: label('language'), text: (locale) => localeName(locale, reader) },
    enterprise: { label: label('enterprise'), text: name },
    role: { label: label('role'), text: name },
    scope: { label: label('scope'), text: name },
    active: { label: say('list.active'), text: (is) => say(is ? 'state.active' : 'state.disabled') },
    locked: { label: say('list.locked'), text: (is) => say(is ? 'state.locked' : 'state.open') },
    allowedCIDRs: { label: label('networks'), members: (networks) => networks.join(', ') },
    isService: null,
    password: null,
    network: null,
  }
}
