import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { ResourceForm } from '#components/base/forms/resource-form'
import { type FormFields, type Read, useResourceForm } from '#components/base/forms/use-resource-form'
import { RequiredPrivilege } from '#components/base/forms/why'
import { CreatingEnterprise, CreatingScope } from '#components/base/in-place/named-dialogs'
import { NamedField, useMayPick } from '#components/base/pickers/named-picker'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { TextField } from '#components/kit/field'
import { Card, Heading, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { PrivilegeDifference } from './privilege-difference'
import { PrivilegeMatrix } from './privilege-matrix'
import { checkRole, draftOfRole, type RoleDraft, type RoleField, type WholeRole } from './role-draft'
import { useSaveWholeRole } from './use-role'

type RoleFormProps = {
  first: RoleDraft
  /** The role to change; absent for a new one. */
  read?: Read<WholeRole>
}

/** Creates a role, or changes one. */
export function RoleForm({ first, read }: RoleFormProps) {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  const sayText = useTranslations('forms.faults')
  const navigate = useNavigate()
  const save = useSaveWholeRole()
  const current = read?.data
  const id = current?.document.role.document.id
  const form = useResourceForm<RoleDraft, WholeRole, RoleField>({
    first,
    editing: {
      read,
      draftOf: draftOfRole,
      shown: {
        name: { label: label('name'), text: String },
        enterprise: {
          label: label('enterprise'),
          text: (enterprise) => enterprise?.name ?? label('allEnterprises'),
        },
        scope: { label: label('scope'), text: (scope) => scope?.name ?? '–' },
        privileges: { label: label('privileges'), members: (names) => names.join(', ') },
      },
    },
    check: (draft) => checkRole({ say, sayText }, draft, current && draftOfRole(current.document)),
    names: () => ({ privilege: 'privileges' }),
    save,
    done: ({ role }) => say('saved', { role: role.document.name }),
    onDone: ({ role }) => void navigate(paths.role(role.document.id)),
  })
  const { draft, errors, change } = form
  return (
    <ResourceForm
      form={form}
      label={id === undefined ? label('createRole') : undefined}
      back={id === undefined ? paths.roles() : paths.role(id)}
    >
      <Identity {...form} />
      <Stack>
        <Heading
          level={2}
          counter={`(${draft.privileges.length}/${allPrivileges.length})`}
          about={say('privilegesAbout')}
        >
          {label('privileges')}
        </Heading>
        {errors.privileges && <Refused>{errors.privileges}</Refused>}
        <PrivilegeMatrix
          chosen={draft.privileges}
          base={form.base.privileges}
          onChange={(privileges) => change({ privileges })}
        />
      </Stack>
      {id !== undefined && (
        <PrivilegeDifference
          role={id}
          before={form.base.privileges}
          draft={draft}
          onUndo={() => change({ privileges: form.base.privileges })}
        />
      )}
    </ResourceForm>
  )
}

function Refused({ children }: { children: ReactNode }) {
  return (
    <div role="alert">
      <Notice kind="bad">{children}</Notice>
    </div>
  )
}

function Identity({ field, change }: FormFields<RoleDraft, RoleField>) {
  const say = useTranslations('roles.form')
  const label = useTranslations('labels')
  const { enterprise: own, scope: ownScope } = useSession()
  const mayPickScopes = useMayPick('scope')
  return (
    <Card title={label('role')}>
      <Stack gap="l">
        <TextField
          {...field('name')}
          label={label('name')}
          hint={label('uniqueName')}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <NamedField
          {...field('enterprise')}
          kind="enterprise"
          label={label('enterprise')}
          hint={say(ownScope.allEnterprises ? 'enterpriseHint' : 'enterpriseLimited')}
          known={[own]}
          {...(ownScope.allEnterprises && { none: { label: label('allEnterprises') } })}
          around={(picker) => (
            <CreatingEnterprise
              disabled={!ownScope.allEnterprises}
              onMade={(enterprise) => change({ enterprise })}
            >
              {picker}
            </CreatingEnterprise>
          )}
        />
        <NamedField
          {...field('scope')}
          kind="scope"
          label={label('scope')}
          hint={mayPickScopes ? say('scopeHint') : <RequiredPrivilege privilege="USERS_VIEW_PRIVILEGES" />}
          disabled={!mayPickScopes}
          none={{ label: label('noScope') }}
          around={(picker) => (
            <CreatingScope disabled={!mayPickScopes} onMade={(scope) => change({ scope })}>
              {picker}
            </CreatingScope>
          )}
        />
      </Stack>
    </Card>
  )
}
