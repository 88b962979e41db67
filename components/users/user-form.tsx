import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { ResourceForm } from '#components/forms/resource-form'
import { type Read, useResourceForm } from '#components/forms/use-resource-form'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import type { UserDocument } from '#lib/identity/identity.schema'
import { enterpriseOfUser, useSaveUser } from '#lib/identity/users.queries'
import type { Say } from '#lib/words/words'
import { AccessFields } from './access-fields'
import { PersonFields } from './person-fields'
import { SignInFields } from './sign-in-fields'
import { fullName } from './user-columns'
import {
  checkUser,
  draftOfUser,
  fieldOfUserFault,
  sentUser,
  type UserDraft,
  type UserField,
} from './user-draft'

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
    read,
    draftOf: draftOfUser,
    check: (draft) =>
      checkUser({ say: sayFault, sayText }, draft, { isNew, least: session.passwordMinLength }),
    fieldOf: fieldOfUserFault,
    save: ({ draft, ...over }) => saving.mutateAsync({ draft: sentUser(draft), ...over }),
    done: ({ nick }) => say('form.saved', { nick }),
    onDone: (user) => void navigate(paths.user(enterpriseOfUser(user) ?? 0, user.id)),
  })
  return (
    <ResourceForm
      form={form}
      theirs={(saved) => theirFacts(say, label, saved)}
      label={isNew ? label('createUser') : undefined}
      back={user ? paths.user(enterpriseOfUser(user) ?? 0, user.id) : paths.users()}
    >
      <PersonFields {...form} />
      <AccessFields {...form} />
      <SignInFields {...form} user={user} isSelf={user?.id === session.id} />
    </ResourceForm>
  )
}

const theirFacts = (say: Say<'users'>, label: Say<'labels'>, user: UserDocument) => [
  { label: label('nick'), value: user.nick },
  { label: say('list.fullName'), value: fullName(user) },
  { label: label('email'), value: user.email || '–' },
  { label: say('list.active'), value: say(user.active ? 'state.active' : 'state.disabled') },
]
