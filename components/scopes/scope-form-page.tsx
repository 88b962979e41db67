import Alert from '@cloudscape-design/components/alert'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { FailureText } from '#components/layout/failure'
import { useFlash } from '#components/layout/flash'
import { LeaveGuard } from '#components/layout/leave-guard'
import { type Crumb, Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { seesEverything } from '#lib/auth/privileges'
import type { Tagged } from '#lib/infrastructure/resources.queries'
import { createScope, scopeQuery, scopesChanged, updateScope } from '#lib/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'
import { NotHere } from './not-here'
import { bodyOf, draftOf, emptyDraft, isChanged, rebase, type ScopeDraft } from './scope-draft'
import { ScopeForm } from './scope-form'
import { refusalOf } from './scope-rules'

const scopesCrumb: Crumb = { text: 'Scopes', href: paths.scopes() }

export function Component() {
  const { scope } = useParams()
  return scope === undefined ? <NewScope /> : <EditScope key={scope} id={Number(scope)} />
}

/** A new scope stands below `?parent=`; without it at the top, or below the own scope of who does not see the top. */
function NewScope() {
  const own = useSession().scope
  const [search] = useSearchParams()
  const asked = Number(search.get('parent'))
  const above = asked || (seesEverything(own) ? 0 : own.id)
  const parent = useQuery({ ...scopeQuery(above), enabled: above > 0 })

  return (
    <Page title="New scope" breadcrumbs={[scopesCrumb]} maxContentWidth={800}>
      {above === 0 && <Editor key={above} first={emptyDraft(undefined)} />}
      {above > 0 && parent.data && (
        <Editor key={above} first={emptyDraft({ id: above, name: parent.data.document.name })} />
      )}
      {above > 0 && !parent.data && (
        <NotHere what="the parent scope" error={parent.error} retry={() => void parent.refetch()} />
      )}
    </Page>
  )
}

function EditScope({ id }: { id: number }) {
  const own = useSession().scope
  const scope = useQuery(scopeQuery(id))
  const document = scope.data?.document
  const refusal = document && refusalOf('edit', document, own)
  const crumbs = document ? [scopesCrumb, { text: document.name, href: paths.scope(id) }] : [scopesCrumb]

  return (
    <Page
      title={document ? `Edit ${document.name}` : 'Edit scope'}
      breadcrumbs={crumbs}
      maxContentWidth={800}
    >
      {refusal && <Alert type="info">{refusal}</Alert>}
      {scope.data && !refusal && <Editor first={draftOf(scope.data.document)} loaded={scope.data} />}
      {!scope.data && <NotHere what="the scope" error={scope.error} retry={() => void scope.refetch()} />}
    </Page>
  )
}

// How it ended is read from the mutation itself.
const nothing = () => undefined

/** Holds what is typed, and the version that it began from: a newer one in the cache must not change it. */
function Editor({ first, loaded }: { first: ScopeDraft; loaded?: Tagged<ScopeDocument> }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const notify = useFlash()
  const [version, setVersion] = useState({ base: first, loaded })
  const [draft, setDraft] = useState(first)
  const saved = useRef(false)
  const id = loaded?.document.id

  const save = useMutation({
    mutationFn: () =>
      id === undefined
        ? createScope(bodyOf(draft))
        : updateScope(id, bodyOf(draft, id), version.loaded?.etag),
    onSuccess: async (scope) => {
      saved.current = true
      await scopesChanged(client)
      notify({ type: 'success', content: `${scope.name} is saved.` })
      void navigate(paths.scope(scope.id))
    },
  })

  const reload = useMutation({
    mutationFn: (scope: number) => client.query({ ...scopeQuery(scope), staleTime: 0 }),
    onSuccess: (latest) => {
      const base = draftOf(latest.document)
      setDraft(rebase(draft, version.base, base))
      setVersion({ base, loaded: latest })
      save.reset()
    },
    onError: (error) => notify({ type: 'error', content: <FailureText error={error} /> }),
  })

  return (
    <>
      <ScopeForm
        scope={loaded && { id: loaded.document.id, name: loaded.document.name }}
        draft={draft}
        base={version.base}
        busy={save.isPending}
        error={save.error}
        onChange={setDraft}
        onSave={() => save.mutateAsync().then(nothing, nothing)}
        onCancel={() => void navigate(id === undefined ? paths.scopes() : paths.scope(id))}
        onReload={() => id !== undefined && reload.mutate(id)}
      />
      <LeaveGuard
        loses={() => !saved.current && isChanged(draft, version.base)}
        header="Leave without saving?"
      >
        What you changed here is not saved and will be lost.
      </LeaveGuard>
    </>
  )
}
