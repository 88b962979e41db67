import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { FieldKind, InputProps } from '#components/base/forms/declared-form'
import { linked } from '#components/base/forms/field-kinds'
import { RequiredPrivilege } from '#components/base/forms/why'
import { CreatingEnterprise, CreatingRole, CreatingScope } from '#components/base/in-place/named-dialogs'
import { NamedField, useScopeRefusal } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { seesEverything } from '#lib/caller/auth/privileges'
import type { Named } from '#lib/ground/http/view'
import { rolePrivilegesQuery } from '#lib/people/identity/roles.queries'
import { useDefaultScope } from './scope-card'
import { useLacking, usePrivilegeList } from './use-user-refusals'

/** What the fields of a user's access look at. */
type Access = { enterprise: Named | undefined; role: Named | undefined }

type AccessKind = FieldKind<Named | undefined, number | undefined, Access>
type AccessProps = InputProps<Named | undefined, Access>

export const enterpriseField: AccessKind = { ...linked, Input: EnterpriseInput }
export const roleField: AccessKind = { ...linked, Input: RoleInput }
export const scopeField: AccessKind = { ...linked, Input: ScopeInput }

function EnterpriseInput({ form: _, autoFocus: __, ...field }: AccessProps) {
  const mayMove = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const mayList = useMayPick('enterprise')
  const missing = !mayMove ? 'USERS_MANAGE_OTHER_ENTERPRISES' : !mayList ? 'ENTERPRISE_ENUMERATE' : undefined
  return (
    <NamedField
      {...field}
      kind="enterprise"
      hint={missing && <RequiredPrivilege privilege={missing} />}
      disabled={missing !== undefined}
      around={(picker) => (
        <CreatingEnterprise disabled={missing !== undefined} onMade={field.onChange}>
          {picker}
        </CreatingEnterprise>
      )}
    />
  )
}

function RoleInput({ form: { draft, base }, autoFocus: _, ...field }: AccessProps) {
  const say = useTranslations('users.form')
  const { role: own } = useSession()
  const listOf = usePrivilegeList()
  const mayList = useMayPick('role')
  const isChanged = draft.role?.id !== base.role?.id
  const lacking = useLacking(isChanged ? draft.role?.id : undefined)
  const known: Named[] = base.role && base.role.id !== own.id ? [base.role, own] : [own]
  return (
    <NamedField
      {...field}
      kind="role"
      hint={
        <>
          {say(mayList ? 'roleHint' : 'roleUnlisted')} {draft.role && <Grants role={draft.role.id} />}
        </>
      }
      error={lacking.length > 0 ? say('lacks', { names: listOf(lacking) }) : field.error}
      known={known}
      around={(picker) => (
        <CreatingRole disabled={!mayList} onMade={field.onChange}>
          {picker}
        </CreatingRole>
      )}
    />
  )
}

function Grants({ role }: { role: number }) {
  const say = useTranslations('users.form')
  const mayRead = useMay(...access.roles)
  const read = useQuery({ ...rolePrivilegesQuery(role), enabled: mayRead })
  if (!read.data) return null
  return say.rich('grants', {
    count: read.data.length,
    link: (inside) => (
      <AppLink to={paths.role(role)} target="_blank">
        {inside}
      </AppLink>
    ),
  })
}

function ScopeInput({ form: { draft }, autoFocus: _, ...field }: AccessProps) {
  const say = useTranslations('users.form')
  const own = useSession().scope
  const byDefault = useDefaultScope(draft.enterprise?.id)
  return (
    <NamedField
      key={draft.enterprise?.id}
      {...field}
      kind="scope"
      hint={seesEverything(own) ? say('scopeHint') : `${say('scopeHint')} ${say('scopeNote')}`}
      filter={draft.enterprise && { enterprise: draft.enterprise.id }}
      none={{
        label: byDefault ? say('noScopeNamed', { scope: byDefault.name }) : say('noScope'),
        description: say('noScopeHint'),
      }}
      refusalOf={useScopeRefusal()}
      around={(picker) => (
        <CreatingScope enterprise={draft.enterprise} onMade={field.onChange}>
          {picker}
        </CreatingScope>
      )}
    />
  )
}
