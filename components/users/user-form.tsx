import Button from '@cloudscape-design/components/button'
import Form from '@cloudscape-design/components/form'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Conflict } from '#components/forms/conflict'
import { Failure } from '#components/forms/failure'
import { useFlash } from '#components/forms/flash'
import { LeaveGuard } from '#components/forms/leave-guard'
import { useResourceForm } from '#components/forms/use-resource-form'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'
import { useSession } from '#components/session/session'
import type { Tagged } from '#lib/client/resources.queries'
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
  /** The newest that is known of the user to change. */
  current?: Tagged<UserDocument>
  /** Reads him anew. */
  refresh?: () => Promise<unknown>
}

const nothingToRead = () => Promise.resolve()

/** Creates a user, or changes one. */
export function UserForm({ first, current, refresh = nothingToRead }: UserFormProps) {
  const say = useTranslations('users')
  const sayText = useTranslations('datacenters.faults')
  const sayFault = useTranslations('users.faults')
  const navigate = useNavigate()
  const notify = useFlash()
  const session = useSession()
  const saving = useSaveUser()
  const isNew = useRef(current === undefined).current
  const form = useResourceForm<UserDraft, UserDocument, UserField>({
    first,
    current,
    refresh,
    draftOf: draftOfUser,
    check: (draft) => checkUser(draft, { isNew, least: session.passwordMinLength }, sayFault, sayText),
    fieldOf: fieldOfUserFault,
    save: ({ draft, current: over }) =>
      saving.mutateAsync({ draft: sentUser(draft), ...(over && { current: over }) }),
    onSaved: (user) => {
      notify({ type: 'success', content: say('form.saved', { nick: user.nick }) })
      void navigate(paths.user(enterpriseOfUser(user) ?? 0, user.id))
    },
  })
  const fields = { draft: form.draft, errors: form.errors, onChange: form.change }
  return (
    <form ref={form.ref} onSubmit={form.submit} noValidate>
      <Form
        actions={<Actions current={current?.document} isSaving={form.isSaving} isBlocked={form.conflict} />}
      >
        <SpaceBetween size="l">
          {form.conflict && current && (
            <Conflict
              theirs={theirFacts(say, current.document)}
              isSaving={form.isSaving}
              onKeepMine={form.saveMine}
              onTakeTheirs={form.takeTheirs}
            />
          )}
          {form.failure && <Failure error={form.failure} />}
          <PersonFields {...fields} />
          <AccessFields {...fields} base={form.base} />
          <SignInFields
            {...fields}
            user={current?.document}
            isSelf={current?.document.id === session.id}
            isSaving={form.isSaving}
          />
        </SpaceBetween>
      </Form>
      <LeaveGuard loses={form.loses} header={say('form.leaveTitle')}>
        {say('form.leaveText')}
      </LeaveGuard>
    </form>
  )
}

const theirFacts = (say: Say<'users'>, user: UserDocument) => [
  { label: say('list.nick'), value: user.nick },
  { label: say('list.fullName'), value: fullName(user) },
  { label: say('list.email'), value: user.email || '–' },
  { label: say('list.active'), value: say(user.active ? 'state.active' : 'state.disabled') },
]

type ActionsProps = { current: UserDocument | undefined; isSaving: boolean; isBlocked: boolean }

function Actions({ current, isSaving, isBlocked }: ActionsProps) {
  const say = useTranslations('users.form')
  const sayCommon = useTranslations('common')
  const follow = useFollow()
  const back = current ? paths.user(enterpriseOfUser(current) ?? 0, current.id) : paths.users()
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button variant="link" href={back} onFollow={follow}>
        {sayCommon('cancel')}
      </Button>
      <Button
        variant="primary"
        loading={isSaving}
        loadingText={say('saving')}
        disabled={isBlocked}
        disabledReason={say('decideFirst')}
      >
        {current ? sayCommon('save') : say('create')}
      </Button>
    </SpaceBetween>
  )
}
