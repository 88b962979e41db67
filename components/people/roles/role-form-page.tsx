import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { draftOf } from '#components/base/forms/declared-form'
import { Waiting } from '#components/base/forms/failure'
import { idIn, useId } from '#components/base/forms/ids'
import type { Read } from '#components/base/forms/use-resource-form'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { EditPage } from '#components/frame/layout/resource-page'
import { Notice } from '#components/kit/notice'
import { RoleForm, roleForm } from './role-form'
import { useRoleRefusal, useWholeRole, type WholeRole } from './use-role'

export function Component() {
  const id = useId('role')
  return id === 0 ? <NewRole /> : <EditRole key={id} id={id} />
}

/** Creates an empty role, or a copy of another without the privileges that the caller may not grant. */
function NewRole() {
  const say = useTranslations('roles')
  const label = useTranslations('labels')
  const [search] = useSearchParams()
  const { enterprise: own, scope, privileges } = useSession()
  const from = idIn(search, 'from')
  const whole = useWholeRole(from ?? 0, from !== undefined)
  const enterprise = scope.allEnterprises ? undefined : { id: own.id, name: own.name }
  const copy = whole.data && draftOf(roleForm, whole.data.document)
  const first = copy && {
    ...copy,
    name: say('form.copyOf', { role: copy.name }),
    enterprise: copy.enterprise ?? enterprise,
    privilege: copy.privilege.filter((name) => privileges.includes(name)),
  }
  return (
    <Page title={label('createRole')} breadcrumbs={[{ text: say('list.title'), href: paths.roles() }]}>
      {from !== undefined && !first ? (
        <Waiting read={whole} boxed />
      ) : (
        <RoleForm first={first ?? { enterprise }} />
      )}
    </Page>
  )
}

function EditRole({ id }: { id: number }) {
  const say = useTranslations('roles')
  return (
    <EditPage
      id={id}
      read={useWholeRole(id)}
      above={[{ text: say('list.title'), href: paths.roles() }]}
      edit={(role) => say('form.edit', { role })}
      nameOf={(role) => role?.name ?? say('page.unknown', { id: String(id) })}
      href={paths.role}
      isWide
    >
      {(read) => read.data && <Changeable role={read.data.document} read={read} />}
    </EditPage>
  )
}

type ChangeableProps = { role: WholeRole; read: Read<WholeRole> }

function Changeable({ role, read }: ChangeableProps) {
  const say = useTranslations('roles.form')
  const sayPage = useTranslations('roles.page')
  const refusal = useRoleRefusal(role)
  if (!refusal) return <RoleForm read={read} />
  return (
    <Notice
      title={say('stop')}
      action={<AppButton to={paths.newRole(role.id)}>{sayPage('duplicate')}</AppButton>}
    >
      {refusal}
    </Notice>
  )
}
