import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { idIn, useId } from '#components/base/forms/ids'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { ResourcePage } from '#components/frame/layout/resource-page'
import { Notice } from '#components/kit/notice'
import { seesEverything } from '#lib/caller/auth/privileges'
import { scopeQuery } from '#lib/caller/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import { ScopeForm } from './scope-form'
import { refusalOf } from './scope-rules'

export function Component() {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')
  const id = useId('scope')
  return (
    <ResourcePage
      id={id}
      query={scopeQuery}
      above={[{ text: say('title'), href: paths.scopes() }]}
      create={label('createScope')}
      edit={(name) => say('form.editTitle', { name })}
      nameOf={(scope) => scope?.name ?? `${label('scope')} ${id}`}
      href={paths.scope}
    >
      {(read) => (read?.data ? <Changeable scope={read.data.document} read={read} /> : <NewScope />)}
    </ResourcePage>
  )
}

/** Creates a scope below `?parent=`, else at the top, or below the user's own scope if they do not see the top. */
function NewScope() {
  const own = useSession().scope
  const [search] = useSearchParams()
  const above = idIn(search, 'parent') ?? (seesEverything(own) ? 0 : own.id)
  const parent = useQuery({ ...scopeQuery(above), enabled: above > 0 })
  if (above === 0) return <ScopeForm />
  if (!parent.data) return <Waiting read={parent} boxed />
  return <ScopeForm key={above} above={{ id: above, name: parent.data.document.name }} />
}

function Changeable({ scope, read }: { scope: ScopeDocument; read: Read<ScopeDocument> }) {
  const say = useTranslations('scopes.rules')
  const refusal = refusalOf('edit', scope, useSession().scope)
  return refusal ? <Notice>{say(refusal)}</Notice> : <ScopeForm read={read} />
}
