import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import {
  DeclaredFields,
  type DraftOf,
  type FieldKind,
  type InputProps,
  resourceForm,
  sentBy,
  useDeclaredForm,
} from '#components/base/forms/declared-form'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { ResourceForm } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { RequiredPrivilege } from '#components/base/forms/why'
import { CreatingEnterprise, CreatingScope } from '#components/base/in-place/named-dialogs'
import { NamedField } from '#components/base/pickers/named-picker'
import { paths } from '#components/base/screens/paths'
import { useMayPick, useSession } from '#components/base/session/session'
import { Card, Heading, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import type { Named } from '#lib/ground/http/view'
import { roleInput } from '#lib/people/identity/identity.schema'
import { PrivilegeDifference } from './privilege-difference'
import { PrivilegeMatrix } from './privilege-matrix'
import { useSaveWholeRole, type WholeRole } from './use-role'

type Granted = { privilege: readonly Privilege[] }

const grants: FieldKind<readonly Privilege[], readonly Privilege[], Granted> = {
  Input: GrantsInput,
  empty: [],
  Members: ({ value }) => value.join(', '),
}

const allEnterprises: FieldKind<Named | undefined, number | undefined> = {
  ...linked,
  Input: EnterpriseInput,
  Text: ({ value }) => {
    const label = useTranslations('labels')
    return value?.name ?? label('allEnterprises')
  },
}

const identity = {
  name: { as: textLine({ spellCheck: false }), label: 'name', hint: 'uniqueName' },
  enterprise: { as: allEnterprises, label: 'enterprise' },
  scope: { as: { ...linked, Input: ScopeInput }, label: 'scope' },
} as const

const privilege = { privilege: { as: grants, label: 'privileges' } } as const

export const roleForm = resourceForm(roleInput, { ...identity, ...privilege })

type RoleFormProps = {
  /** What a new role begins with. */
  first?: Partial<DraftOf<typeof roleForm.fields>>
  /** The role to change; absent for a new one. */
  read?: Read<WholeRole>
}

/** Creates a role, or changes one. */
export function RoleForm({ first = {}, read }: RoleFormProps) {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  const navigate = useNavigate()
  const form = useDeclaredForm(roleForm, {
    read,
    first,
    check: ({ privilege }, before) =>
      read && before.privilege.length > 0 && privilege.length === 0 ? { privilege: say('noneChosen') } : {},
    save: useSaveWholeRole(),
    done: (role) => say('saved', { role: role.name }),
    onDone: (role) => void navigate(paths.role(role.id)),
  })
  const id = form.saved?.id
  return (
    <ResourceForm
      form={form}
      label={label('createRole')}
      back={id === undefined ? paths.roles() : paths.role(id)}
    >
      <Card title={label('role')}>
        <DeclaredFields of={roleForm} only={identity} form={form} />
      </Card>
      <DeclaredFields of={roleForm} only={privilege} form={form} />
      {id !== undefined && (
        <PrivilegeDifference
          role={id}
          before={form.base.privilege}
          draft={sentBy(roleForm, form.draft)}
          onUndo={() => form.change({ privilege: form.base.privilege })}
        />
      )}
    </ResourceForm>
  )
}

function GrantsInput({ label, error, value, form, onChange }: InputProps<readonly Privilege[], Granted>) {
  const say = useTranslations('roles.form')
  return (
    <Stack>
      <Heading level={2} counter={`(${value.length}/${allPrivileges.length})`} about={say('privilegesAbout')}>
        {label}
      </Heading>
      {error && <Refused>{error}</Refused>}
      <PrivilegeMatrix chosen={value} base={form.base.privilege} onChange={onChange} />
    </Stack>
  )
}

const Refused = ({ children }: { children: ReactNode }) => (
  <div role="alert">
    <Notice kind="bad">{children}</Notice>
  </div>
)

function EnterpriseInput({ form: _, autoFocus: __, ...field }: InputProps<Named | undefined>) {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  const { enterprise: own, scope: ownScope } = useSession()
  return (
    <NamedField
      {...field}
      kind="enterprise"
      hint={say(ownScope.allEnterprises ? 'enterpriseHint' : 'enterpriseLimited')}
      known={[own]}
      none={ownScope.allEnterprises ? { label: label('allEnterprises') } : undefined}
      around={(picker) => (
        <CreatingEnterprise disabled={!ownScope.allEnterprises} onMade={field.onChange}>
          {picker}
        </CreatingEnterprise>
      )}
    />
  )
}

function ScopeInput({ form: _, autoFocus: __, ...field }: InputProps<Named | undefined>) {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  const mayPick = useMayPick('scope')
  return (
    <NamedField
      {...field}
      kind="scope"
      hint={mayPick ? say('scopeHint') : <RequiredPrivilege privilege="USERS_VIEW_PRIVILEGES" />}
      disabled={!mayPick}
      none={{ label: label('noScope') }}
      around={(picker) => (
        <CreatingScope disabled={!mayPick} onMade={field.onChange}>
          {picker}
        </CreatingScope>
      )}
    />
  )
}
