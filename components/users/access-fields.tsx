import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/forms/reasons'
import { NamedPicker, useMayPick } from '#components/pickers/named-picker'
import { access } from '#components/screens/access'
import { AppLink } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'
import { useMay, useSession } from '#components/session/session'
import { seesEverything } from '#lib/auth/privileges'
import type { Found } from '#lib/client/pickers.queries'
import type { Named } from '#lib/http/view'
import { rolePrivilegesQuery } from '#lib/identity/roles.queries'
import type { FieldsProps } from './person-fields'
import { useDefaultScope } from './scope-card'
import { useLacking, usePrivilegeList } from './use-user-refusals'
import type { UserDraft } from './user-draft'

type AccessFieldsProps = FieldsProps & {
  /** What is saved; a new user is in no enterprise yet. */
  base: UserDraft
}

/** The user's enterprise, role and scope. */
export function AccessFields(props: AccessFieldsProps) {
  const say = useTranslations('users.form')
  return (
    <Container
      header={
        <Header variant="h2" description={say('accessAbout')}>
          {say('access')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <EnterpriseField {...props} />
        <RoleField {...props} />
        <ScopeField {...props} />
      </SpaceBetween>
    </Container>
  )
}

function EnterpriseField({ draft, errors, change }: AccessFieldsProps) {
  const say = useTranslations('users.form')
  const needs = useNeeds()
  const mayMove = useMay('USERS_MANAGE_OTHER_ENTERPRISES')
  const mayList = useMayPick('enterprise')
  const refusal = !mayMove
    ? needs('USERS_MANAGE_OTHER_ENTERPRISES')
    : !mayList
      ? needs('ENTERPRISE_ENUMERATE')
      : undefined
  return (
    <FormField label={say('enterprise')} description={refusal} errorText={errors.enterprise} stretch>
      <NamedPicker
        kind="enterprise"
        value={draft.enterprise}
        required
        disabled={refusal !== undefined}
        onChange={(enterprise) => change({ enterprise })}
      />
    </FormField>
  )
}

function RoleField({ draft, base, errors, change }: AccessFieldsProps) {
  const say = useTranslations('users.form')
  const { role: own } = useSession()
  const listOf = usePrivilegeList()
  const mayList = useMayPick('role')
  const isChanged = draft.role?.id !== base.role?.id
  const lacking = useLacking(isChanged ? draft.role?.id : undefined)
  const known: Named[] = base.role && base.role.id !== own.id ? [base.role, own] : [own]
  return (
    <FormField
      label={say('role')}
      description={mayList ? say('roleHint') : say('roleUnlisted')}
      constraintText={draft.role && <Grants role={draft.role.id} />}
      errorText={lacking.length > 0 ? say('lacks', { names: listOf(lacking) }) : errors.role}
      stretch
    >
      <NamedPicker
        kind="role"
        value={draft.role}
        known={known}
        required
        onChange={(role) => change({ role })}
      />
    </FormField>
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
      <AppLink to={paths.role(role)} target="_blank" fontSize="inherit">
        {inside}
      </AppLink>
    ),
  })
}

function ScopeField({ draft, errors, change }: AccessFieldsProps) {
  const say = useTranslations('users.form')
  const own = useSession().scope
  const byDefault = useDefaultScope(draft.enterprise?.id)
  const refusalOf = ({ automaticAddEnterprise, automaticAddDatacenter }: Found) =>
    (automaticAddEnterprise && !own.allEnterprises) || (automaticAddDatacenter && !own.allDatacenters)
      ? say('wider')
      : undefined
  return (
    <FormField
      label={say('scope')}
      description={say('scopeHint')}
      {...(!seesEverything(own) && { constraintText: say('scopeNote') })}
      errorText={errors.scope}
      stretch
    >
      <NamedPicker
        key={draft.enterprise?.id}
        kind="scope"
        value={draft.scope}
        {...(draft.enterprise && { filter: { enterprise: draft.enterprise.id } })}
        none={{
          label: byDefault ? say('noScopeNamed', { scope: byDefault.name }) : say('noScope'),
          description: say('noScopeHint'),
        }}
        refusalOf={refusalOf}
        onChange={(scope) => change({ scope })}
      />
    </FormField>
  )
}
