import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { idIn, useId } from '#components/base/forms/ids'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { ResourcePage } from '#components/frame/layout/resource-page'
import { Notice } from '#components/kit/notice'
import { kinds } from '#lib/caller/kinds/kinds'
import type { Named } from '#lib/ground/http/view'
import { enterpriseQuery } from '#lib/people/identity/enterprises.queries'
import type { RoleDocument, UserDocument } from '#lib/people/identity/identity.schema'
import { rolesQuery } from '#lib/people/identity/roles.queries'
import { userQuery } from '#lib/people/identity/users.queries'
import { useLeastScope } from './least-scope'
import { useUserRefusals } from './use-user-refusals'
import { UserForm } from './user-form'

export function Component() {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const enterprise = useId('enterprise')
  const id = useId('user')
  return (
    <ResourcePage
      id={id}
      query={(user) => userQuery(enterprise, user)}
      above={[{ text: say('list.title'), href: paths.users() }]}
      create={label('createUser')}
      edit={(nick) => say('form.edit', { nick })}
      nameOf={(user) => user?.nick ?? say('page.unknown', { id: String(id) })}
      href={(user) => paths.user(enterprise, user)}
    >
      {(read) => (read?.data ? <Changeable user={read.data.document} read={read} /> : <NewUser />)}
    </ResourcePage>
  )
}

/** Creates a user in the enterprise of the address, else in the caller's own, with the least role and scope. */
function NewUser() {
  const [search] = useSearchParams()
  const { enterprise: own, locale } = useSession()
  const mayReadEnterprises = useMay(...kinds.enterprise.readers)
  const chosen = idIn(search, 'enterprise') ?? own.id
  const id = mayReadEnterprises ? chosen : own.id
  const enterprise = useQuery(enterpriseQuery(id))
  const mayListRoles = useMayPick('role')
  const roles = useQuery({ ...rolesQuery({ by: 'id', limit: 10 }), enabled: mayListRoles })
  const mayListScopes = useMayPick('scope')
  const { scopes, least } = useLeastScope({ id, name: '' })
  if (!enterprise.data) return <Waiting read={enterprise} boxed />
  if (mayListRoles && !roles.data) return <Waiting read={roles} boxed />
  if (mayListScopes && !scopes.data) return <Waiting read={scopes} boxed />
  const { name } = enterprise.data.document
  return (
    <UserForm
      first={{ enterprise: { id, name }, role: leastOf(roles.data?.collection), scope: least, locale }}
    />
  )
}

/** The roles that every installation begins with, the one that grants least first. */
const leastRoles = ['ENTERPRISE_VIEWER', 'USER']

function leastOf(roles: readonly RoleDocument[] = []): Named | undefined {
  const found = leastRoles.flatMap((name) => roles.find((role) => role.name === name) ?? [])[0]
  return found && { id: found.id, name: found.name }
}

type ChangeableProps = { user: UserDocument; read: Read<UserDocument> }

function Changeable({ user, read }: ChangeableProps) {
  const say = useTranslations('users.form')
  const { change: refusal } = useUserRefusals(user)
  if (!refusal) return <UserForm read={read} />
  return <Notice title={say('stop')}>{refusal}</Notice>
}
