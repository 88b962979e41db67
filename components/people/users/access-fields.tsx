import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { linkField } from '#components/base/in-place/link-field'
import { useScopeRefusal } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { seesEverything } from '#lib/caller/auth/privileges'
import type { Named } from '#lib/ground/http/view'
import { rolePrivilegesQuery } from '#lib/people/identity/roles.queries'
import { SERVICE } from '#lib/people/identity/users.schema'
import { useLeastScope } from './least-scope'
import { useCanInvite } from './new-user'
import { useLacking, usePrivilegeList } from './use-user-refusals'

/** What the fields of a user's access look at. */
type Access = {
  enterprise: Named | undefined
  role: Named | undefined
  scope: Named | undefined
  authType: string
  password: string
}

const anyEnterprise = linkField<Access>('enterprise', () => ({
  missing: useMay('USERS_MANAGE_OTHER_ENTERPRISES') ? undefined : 'USERS_MANAGE_OTHER_ENTERPRISES',
}))

/** A scope of the former enterprise cannot be given to a new user of another. */
export const enterpriseField: typeof anyEnterprise = {
  ...anyEnterprise,
  Input: (props) => (
    <anyEnterprise.Input
      {...props}
      onChange={(enterprise) => {
        if (!props.form.saved) props.form.change({ scope: undefined })
        props.onChange(enterprise)
      }}
    />
  ),
}

export const roleField = linkField<Access>('role', ({ draft, base }) => {
  const say = useTranslations('users.form')
  const { role: own } = useSession()
  const listOf = usePrivilegeList()
  const mayList = useMayPick('role')
  const isChanged = draft.role?.id !== base.role?.id
  const lacking = useLacking(isChanged ? draft.role?.id : undefined)
  return {
    hint: (
      <>
        {say(mayList ? 'roleHint' : 'roleUnlisted')} {draft.role && <Grants role={draft.role.id} />}
      </>
    ),
    error: lacking.length > 0 ? say('lacks', { names: listOf(lacking) }) : undefined,
    known: base.role && base.role.id !== own.id ? [base.role, own] : [own],
  }
})

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

export const scopeField = linkField<Access>('scope', ({ draft, saved }) => {
  const say = useTranslations('users.form')
  const own = useSession().scope
  const { byDefault, isWide } = useLeastScope(draft.enterprise)
  const mayMake = useMay(...access.manageScopes)
  const canInvite = useCanInvite()
  const isInvited = !saved && canInvite && draft.authType !== SERVICE && draft.password === ''
  const none =
    isWide && isInvited && mayMake
      ? {
          label: say('noScopeOnly', { enterprise: draft.enterprise?.name ?? '' }),
          description: say('noScopeOnlyHint'),
        }
      : {
          label: byDefault ? say('noScopeNamed', { scope: byDefault.name }) : say('noScope'),
          description: say('noScopeHint'),
        }
  return {
    hint: seesEverything(own) ? say('scopeHint') : `${say('scopeHint')} ${say('scopeNote')}`,
    filter: draft.enterprise && { enterprise: draft.enterprise.id },
    enterprise: draft.enterprise,
    none,
    refusalOf: useScopeRefusal(),
  }
})
