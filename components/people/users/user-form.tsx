import { useTranslations } from 'use-intl'
import {
  type AboutProps,
  type DraftOf,
  type FieldKind,
  resourceForm,
} from '#components/base/forms/declared-form'
import { FormOnPage } from '#components/base/forms/declared-screens'
import { end } from '#components/base/forms/ends-field'
import { textLine, toggle } from '#components/base/forms/field-kinds'
import { networks } from '#components/base/forms/networks-field'
import { tagsField } from '#components/base/forms/note-fields'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Radio } from '#components/kit/radio'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { enterpriseOfUser, useSaveUser } from '#lib/people/identity/users.queries'
import { SERVICE, userInput } from '#lib/people/identity/users.schema'
import { enterpriseField, roleField, scopeField } from './access-fields'
import { language } from './language-field'
import { asNewUser, useCanInvite } from './new-user'
import { password, userFaults } from './user-password'

/** Whether a new user is a person or a program, which has no password. */
const authType: FieldKind<string, string | undefined, { password: string }> = {
  Input: ({ value, form: { change }, onChange }) => {
    const say = useTranslations('users.form.kind')
    return (
      <Radio
        label={say('label')}
        labelUnseen
        value={value === SERVICE ? SERVICE : ''}
        onChange={(kind) => {
          change({ password: '' })
          onChange(kind)
        }}
        choices={[
          { value: '', text: say('person'), about: say('personHint') },
          { value: SERVICE, text: say('service'), about: say('serviceHint') },
        ]}
      />
    )
  },
  empty: '',
  send: (kind) => (kind === SERVICE ? SERVICE : undefined),
}

const verbatim = { autoComplete: 'off', spellCheck: false }

/** Users cannot shut themselves out. */
function useShut(user: UserDocument | undefined) {
  const shut = useTranslations('users.refusal')('shutYourself')
  return user?.id === useSession().id ? shut : undefined
}

const isActive = {
  name: 'users.form.activeToggle',
  on: 'users.state.active',
  off: 'users.state.disabled',
} as const
const isLocked = {
  name: 'users.form.lockedToggle',
  on: 'users.state.locked',
  off: 'users.state.open',
} as const
const kind = 'users.form.kind.label'

export const userForm = resourceForm(userInput.omit({ oldPassword: true }), {
  authType: { as: authType, label: kind, card: { title: kind }, isForNew: true },
  nick: {
    as: textLine(verbatim),
    label: 'nick',
    about: NickHint,
    wrong: 'users.faults.nick',
    card: { title: 'person' },
  },
  name: { as: textLine(verbatim), label: 'firstName' },
  surname: { as: textLine(verbatim), label: 'surname' },
  email: {
    as: textLine({ ...verbatim, type: 'email', inputMode: 'email' }),
    label: 'email',
    hint: 'users.form.emailHint',
    wrong: 'users.faults.email',
  },
  description: { as: textLine(), label: 'description' },
  ...tagsField,
  locale: { as: language, label: 'language', hint: 'users.form.languageHint' },
  enterprise: {
    as: enterpriseField,
    label: 'enterprise',
    missing: 'users.faults.enterprise',
    card: { title: 'users.form.access', about: 'users.form.accessAbout' },
  },
  role: { as: roleField, label: 'role', missing: 'users.faults.role' },
  scope: { as: scopeField, label: 'scope' },
  password: { as: password, label: 'password', card: { title: 'users.form.signIn' } },
  active: { as: toggle(isActive, useShut), label: 'users.form.active', hint: 'users.form.activeHint' },
  locked: { as: toggle(isLocked, useShut), label: 'users.form.locked', hint: 'users.form.lockedHint' },
  ends: { as: end, label: 'ends.label', wrong: 'ends.wrong' },
  allowedCIDRs: {
    as: networks,
    label: 'forms.networks.label',
    hint: 'users.form.networksHint',
    wrong: 'users.faults.network',
  },
})

function NickHint({ form }: AboutProps<string>) {
  const say = useTranslations('users.form')
  return form.saved ? say('nickHint') : `${say('nickHint')} ${say('nickEmpty')}`
}

type UserFormProps = {
  /** What a new user begins with. */
  first?: Partial<DraftOf<typeof userForm.fields>>
  /** The user to change; absent for a new one. */
  read?: Read<UserDocument>
}

/** Creates a user, or changes one. */
export function UserForm({ first = {}, read }: UserFormProps) {
  const say = useTranslations('users')
  const sayFault = useTranslations('users.faults')
  const label = useTranslations('labels')
  const least = useSession().passwordMinLength
  const canInvite = useCanInvite()
  const { mutateAsync } = useSaveUser()
  return (
    <FormOnPage
      of={userForm}
      brief={read ? undefined : { names: ['email', 'role', 'scope'], more: say('form.more') }}
      read={read}
      first={first}
      label={label('createUser')}
      back={paths.users()}
      href={(user) => paths.user(enterpriseOfUser(user) ?? 0, user.id)}
      check={(draft) => userFaults(sayFault, draft, { isNew: !read, least, canInvite })}
      save={({ draft, current }) =>
        mutateAsync(current ? { draft, current } : { draft: asNewUser(draft, canInvite) })
      }
      done={({ nick, email, invited, invitation }) =>
        !invited || read
          ? say('form.saved', { nick })
          : say(invitation ? 'form.invitedByLink' : 'form.invitedByMail', { nick, email })
      }
    />
  )
}
