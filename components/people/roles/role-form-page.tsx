import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { idIn, useId } from '#components/base/forms/ids'
import type { Read } from '#components/base/forms/use-resource-form'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Notice } from '#components/kit/notice'
import { draftOfRole, type RoleDraft, type WholeRole } from './role-draft'
import { RoleForm } from './role-form'
import { useRoleRefusal, useWholeRole } from './use-role'

export function Component() {
  const id = useId('role')
  return id === 0 ? <NewRole /> : <EditRole key={id} id={id} />
}

/** Creates an empty role, or a copy of another without the privileges that the caller may not grant. */
function NewRole() {
  const say = useTranslations('roles')
  const label = useTranslations('labels')
  const [search] = useSearchParams()
  const { enterprise, scope, privileges } = useSession()
  const from = idIn(search, 'from')
  const whole = useWholeRole(from ?? 0, from !== undefined)
  const empty: RoleDraft = {
    name: '',
    enterprise: scope.allEnterprises ? undefined : { id: enterprise.id, name: enterprise.name },
    scope: undefined,
    privileges: [],
  }
  const copy = whole.data && draftOfRole(whole.data.document)
  const first = copy && {
    ...copy,
    name: say('form.copyOf', { role: copy.name }),
    enterprise: copy.enterprise ?? empty.enterprise,
    privileges: copy.privileges.filter((name) => privileges.includes(name)),
  }
  return (
    <Page title={label('createRole')} breadcrumbs={[{ text: say('list.title'), href: paths.roles() }]}>
      {from === undefined ? (
        <RoleForm first={empty} />
      ) : first ? (
        <RoleForm first={first} />
      ) : (
        <Waiting read={whole} boxed />
      )}
    </Page>
  )
}

function EditRole({ id }: { id: number }) {
  const say = useTranslations('roles')
  const whole = useWholeRole(id)
  const name = whole.data?.document.role.document.name ?? say('page.unknown', { id: String(id) })
  return (
    <Page
      title={say('form.edit', { role: name })}
      breadcrumbs={[
        { text: say('list.title'), href: paths.roles() },
        { text: name, href: paths.role(id) },
      ]}
    >
      {whole.data ? <Changeable whole={whole.data.document} read={whole} /> : <Waiting read={whole} boxed />}
    </Page>
  )
}

type ChangeableProps = { whole: WholeRole; read: Read<WholeRole> }

function Changeable({ whole, read }: ChangeableProps) {
  const say = useTranslations('roles.form')
  const sayPage = useTranslations('roles.page')
  const refusal = useRoleRefusal(whole.role.document)
  if (!refusal) return <RoleForm first={draftOfRole(whole)} read={read} />
  return (
    <Notice
      title={say('stop')}
      action={<AppButton to={paths.newRole(whole.role.document.id)}>{sayPage('duplicate')}</AppButton>}
    >
      {refusal}
    </Notice>
  )
}
