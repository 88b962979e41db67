import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { RequiredPrivilege } from '#components/base/forms/why'
import { CreatingEnterprise, CreatingRole, CreatingScope } from '#components/base/in-place/named-dialogs'
import { NamedField, useMayPick, useScopeRefusal } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { Card, Stack } from '#components/kit/layout'
import { seesEverything } from '#lib/caller/auth/privileges'
import type { Named } from '#lib/ground/http/view'
import { rolePrivilegesQuery } from '#lib/people/identity/roles.queries'
import type { FieldsProps } from './person-fields'
import { useDefaultScope } from './scope-card'
import { useLacking, usePrivilegeList } from './use-user-refusals'
import type { UserDraft } from './user-draft'

type AccessFieldsProps = FieldsProps & {
  /** The saved user; a new user is in no enterprise yet. */
  base: UserDraft
}

/** The user's enterprise, role and scope. */
export function AccessFields(props: AccessFieldsProps) {
  const say = useTranslations('users.form')
  return (
    <Card title={say('access')} about={say('accessAbout')}>
      <Stack gap="l">
        <EnterpriseField {...props} />
        <RoleField {...props} />
        <ScopeField {...props} />
      </Stack>
    </Card>
  )
}

function EnterpriseField({ field, change }: AccessFieldsProps) {
  const label = useTranslations('labels')
  const mayMove = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const mayList = useMayPick('enterprise')
  const missing = !mayMove ? 'USERS_MANAGE_OTHER_ENTERPRISES' : !mayList ? 'ENTERPRISE_ENUMERATE' : undefined
  return (
    <NamedField
      {...field('enterprise')}
      kind="enterprise"
      label={label('enterprise')}
      hint={missing && <RequiredPrivilege privilege={missing} />}
      required
      disabled={missing !== undefined}
      around={(picker) => (
        <CreatingEnterprise disabled={missing !== undefined} onMade={(enterprise) => change({ enterprise })}>
          {picker}
        </CreatingEnterprise>
      )}
    />
  )
}

function RoleField({ draft, base, field, change }: AccessFieldsProps) {
  const say = useTranslations('users.form')
  const label = useTranslations('labels')
  const { role: own } = useSession()
  const listOf = usePrivilegeList()
  const mayList = useMayPick('role')
  const isChanged = draft.role?.id !== base.role?.id
  const lacking = useLacking(isChanged ? draft.role?.id : undefined)
  const known: Named[] = base.role && base.role.id !== own.id ? [base.role, own] : [own]
  return (
    <NamedField
      {...field('role')}
      kind="role"
      label={label('role')}
      hint={
        <>
          {say(mayList ? 'roleHint' : 'roleUnlisted')} {draft.role && <Grants role={draft.role.id} />}
        </>
      }
      {...(lacking.length > 0 && { error: say('lacks', { names: listOf(lacking) }) })}
      known={known}
      required
      around={(picker) => (
        <CreatingRole disabled={!mayList} onMade={(role) => change({ role })}>
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

function ScopeField({ draft, field, change }: AccessFieldsProps) {
  const say = useTranslations('users.form')
  const label = useTranslations('labels')
  const own = useSession().scope
  const byDefault = useDefaultScope(draft.enterprise?.id)
  return (
    <NamedField
      key={draft.enterprise?.id}
      {...field('scope')}
      kind="scope"
      label={label('scope')}
      hint={seesEverything(own) ? say('scopeHint') : `${say('scopeHint')} ${say('scopeNote')}`}
      {...(draft.enterprise && { filter: { enterprise: draft.enterprise.id } })}
      none={{
        label: byDefault ? say('noScopeNamed', { scope: byDefault.name }) : say('noScope'),
        description: say('noScopeHint'),
      }}
      refusalOf={useScopeRefusal()}
      around={(picker) => (
        <CreatingScope enterprise={draft.enterprise} onMade={(scope) => change({ scope })}>
          {picker}
        </CreatingScope>
      )}
    />
  )
}
