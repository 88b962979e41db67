import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Spinner from '@cloudscape-design/components/spinner'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { idIn, useId } from '#components/forms/ids'
import { useFollow } from '#components/layout/app-link'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { useSession } from '#components/session/session'
import type { Tagged } from '#lib/client/resources.queries'
import { draftOfRole, type RoleDraft, type WholeRole } from './role-draft'
import { RoleForm } from './role-form'
import { duplicateOf } from './role-links'
import { useRoleRefusal } from './use-role-privileges'
import { useWholeRole } from './use-whole-role'

export function Component() {
  const id = useId('role')
  return id === 0 ? <NewRole /> : <EditRole key={id} id={id} />
}

/** A new role begins empty, or as a copy of another as far as the user may grant what that holds. */
function NewRole() {
  const say = useTranslations('roles')
  const [search] = useSearchParams()
  const { enterprise, scope, privileges } = useSession()
  const from = idIn(search, 'from')
  const { whole, error, refetch } = useWholeRole(from ?? 0, from !== undefined)
  const empty: RoleDraft = {
    name: '',
    enterprise: scope.allEnterprises ? undefined : { id: enterprise.id, name: enterprise.name },
    scope: undefined,
    privileges: [],
  }
  const copy = whole && draftOfRole(whole.document)
  const first = copy && {
    ...copy,
    name: say('form.copyOf', { role: copy.name }),
    enterprise: copy.enterprise ?? empty.enterprise,
    privileges: copy.privileges.filter((name) => privileges.includes(name)),
  }
  return (
    <Page title={say('form.create')} breadcrumbs={[{ text: say('list.title'), href: paths.roles() }]}>
      {from === undefined ? (
        <RoleForm first={empty} />
      ) : first ? (
        <RoleForm first={first} />
      ) : (
        <Waiting error={error} retry={() => void refetch()} />
      )}
    </Page>
  )
}

function EditRole({ id }: { id: number }) {
  const say = useTranslations('roles')
  const { whole, error, refetch } = useWholeRole(id)
  const name = whole?.document.role.document.name ?? say('page.unknown', { id: String(id) })
  return (
    <Page
      title={say('form.edit', { role: name })}
      breadcrumbs={[
        { text: say('list.title'), href: paths.roles() },
        { text: name, href: paths.role(id) },
      ]}
    >
      {whole ? (
        <Changeable current={whole} refresh={refetch} />
      ) : (
        <Waiting error={error} retry={() => void refetch()} />
      )}
    </Page>
  )
}

type ChangeableProps = { current: Tagged<WholeRole>; refresh: () => Promise<unknown> }

function Changeable({ current, refresh }: ChangeableProps) {
  const say = useTranslations('roles.form')
  const sayPage = useTranslations('roles.page')
  const sayCommon = useTranslations('common')
  const follow = useFollow()
  const refusal = useRoleRefusal(current.document.role.document)
  if (!refusal) return <RoleForm first={draftOfRole(current.document)} current={current} refresh={refresh} />
  return (
    <Alert
      type="info"
      header={say('stop')}
      i18nStrings={{ infoIconAriaLabel: sayCommon('infoIcon') }}
      action={
        <Button href={duplicateOf(current.document.role.document.id)} onFollow={follow}>
          {sayPage('duplicate')}
        </Button>
      }
    >
      {refusal}
    </Alert>
  )
}

const Waiting = ({ error, retry }: { error: Error | null; retry: () => void }) => (
  <Container>{error ? <Failure error={error} retry={retry} /> : <Spinner size="large" />}</Container>
)
