import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { isConflict, isStaleWrite } from '#components/base/forms/conflict'
import { FailureText, Waiting } from '#components/base/forms/failure'
import { useFlash } from '#components/base/forms/flash'
import { LeaveGuard } from '#components/base/forms/leave-guard'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useMerge } from '#components/base/forms/use-merge'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Notice } from '#components/kit/notice'
import { seesEverything } from '#lib/caller/auth/privileges'
import {
  impactQuery,
  type ScopeBody,
  saveScope,
  scopeQuery,
  scopesChanged,
} from '#lib/caller/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import { ApiFailure, type ApiFault } from '#lib/client/api'
import { rehearseChange } from '#lib/client/calls'
import { useOnce } from '#lib/client/once'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import type { Named } from '#lib/ground/http/view'
import { ImpactDialog } from './impact-dialog'
import { bodyOf, draftOf, emptyDraft, isChanged, onlyRenames, type ScopeDraft } from './scope-draft'
import { ScopeForm } from './scope-form'
import { refusalOf } from './scope-rules'
import { useShownScope } from './use-shown-scope'

export function Component() {
  const { scope } = useParams()
  return scope === undefined ? <NewScope /> : <EditScope key={scope} id={Number(scope)} />
}

/** Creates a scope below `?parent=`, else at the top, or below the user's own scope if they do not see the top. */
function NewScope() {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')
  const own = useSession().scope
  const [search] = useSearchParams()
  const above = Number(search.get('parent')) || (seesEverything(own) ? 0 : own.id)
  const parent = useQuery({ ...scopeQuery(above), enabled: above > 0 })

  return (
    <Page
      title={label('createScope')}
      breadcrumbs={[{ text: say('title'), href: paths.scopes() }]}
      maxContentWidth={800}
    >
      {above === 0 && <Editor key={above} first={emptyDraft(undefined)} />}
      {above > 0 && parent.data && (
        <Editor key={above} first={emptyDraft({ id: above, name: parent.data.document.name })} />
      )}
      {above > 0 && !parent.data && <Waiting read={parent} boxed />}
    </Page>
  )
}

function EditScope({ id }: { id: number }) {
  const say = useTranslations('scopes')
  const own = useSession().scope
  const scope = useFresh(scopeQuery(id))
  const document = scope.data?.document
  const refusal = document && refusalOf('edit', document, own)
  const crumbs = [
    { text: say('title'), href: paths.scopes() },
    ...(document ? [{ text: document.name, href: paths.scope(id) }] : []),
  ]

  return (
    <Page
      title={document ? say('form.editTitle', { name: document.name }) : say('form.editUnknown')}
      breadcrumbs={crumbs}
      maxContentWidth={800}
    >
      {refusal && <Notice>{say(`rules.${refusal}`)}</Notice>}
      {scope.data && !refusal && <Editor first={draftOf(scope.data.document)} loaded={scope.data} />}
      {!scope.data && <Waiting read={scope} boxed />}
    </Page>
  )
}

/** `over`: the version that the change builds on. */
type Sent = { body: ScopeBody; over?: Tagged<ScopeDocument> }

type EditorProps = { first: ScopeDraft; loaded?: Tagged<ScopeDocument> }

/** The draft and the version it started from, which newer versions in the cache do not change. */
function useScopeEditor({ first, loaded }: EditorProps) {
  const say = useTranslations('scopes.form')
  const navigate = useNavigate()
  const client = useQueryClient()
  const notify = useFlash()
  const [version, setVersion] = useState({ base: first, loaded })
  const [draft, setDraft] = useState(first)
  // The version that another user has saved since.
  const [latest, setLatest] = useState<Tagged<ScopeDocument>>()
  // The document under review, and the refusals of the previous one.
  const [reviewed, setReviewed] = useState<ScopeBody>()
  const [refused, setRefused] = useState<ApiFailure>()
  const saved = useRef(false)
  const guard = useOneAtATime()
  const once = useOnce()
  const id = loaded?.document.id
  const [isCompared, setCompared] = useState(false)
  const isNewer =
    loaded !== undefined &&
    loaded.etag !== version.loaded?.etag &&
    isChanged(draftOf(loaded.document), version.base)

  const save = useMutation({
    mutationFn: ({ body, over }: Sent) => saveScope({ body, current: over }, once),
    onSuccess: async (scope) => {
      saved.current = true
      setReviewed(undefined)
      await scopesChanged(client)
      notify(say('saved', { name: scope.name }))
      void navigate(paths.scope(scope.id))
    },
    // The form shows the error.
    onError: (error) => {
      setReviewed(undefined)
      if (isStaleWrite(error) && id !== undefined) void reload(id)
    },
  })

  const reload = (scope: number) =>
    client
      .query({ ...scopeQuery(scope), staleTime: 0 })
      .then(setLatest, (error: Error) => notify({ type: 'error', content: <FailureText error={error} /> }))

  const isConflicting = isCompared || isConflict(save.error, version.loaded, latest)
  const { merge, typed, end } = useMerge({
    shown: useShownScope(),
    version: isConflicting ? latest?.etag : undefined,
    before: version.base,
    theirs: latest && draftOf(latest.document),
    draft,
    onDraft: setDraft,
  })
  const send = (body: ScopeBody, over = version.loaded) =>
    guard(() => save.mutateAsync({ body, ...(over && { over }) }))

  const submit = () => {
    if (merge && !merge.isDecided) return
    setRefused(undefined)
    const merged = merge && latest && { base: draftOf(latest.document), loaded: latest }
    const { base, loaded } = merged ?? version
    if (merged) {
      setVersion(merged)
      setCompared(false)
      end()
    }
    const body = bodyOf(draft, id)
    // New scopes and new names affect no user's visibility, so they need no review.
    if (id === undefined || onlyRenames(draft, base)) send(body, loaded)
    else {
      save.reset()
      setReviewed(body)
    }
  }

  return {
    draft,
    base: version.base,
    reviewed,
    busy: save.isPending,
    error: refused ?? save.error,
    merge,
    newer:
      isNewer && !merge && (save.isIdle || save.isError)
        ? {
            current: loaded,
            compare: () => {
              setLatest(loaded)
              setCompared(true)
            },
          }
        : undefined,
    change: (changes: Partial<ScopeDraft>) => {
      setDraft({ ...draft, ...changes })
      typed(changes)
      setRefused(undefined)
    },
    submit,
    calls: () => {
      const over = merge ? latest : version.loaded
      return rehearseChange(() => saveScope({ body: bodyOf(draft, id), current: over }, once))
    },
    save: (body: ScopeBody) => send(body),
    endReview: (refusals: ApiFault[]) => {
      setReviewed(undefined)
      setRefused(refusals.length > 0 ? new ApiFailure({ status: 409, faults: refusals }) : undefined)
    },
    loses: () => !saved.current && isChanged(draft, version.base),
  }
}

function Editor({ first, loaded }: EditorProps) {
  const navigate = useNavigate()
  const editor = useScopeEditor({ first, loaded })
  const { reviewed } = editor
  const scope = loaded && { id: loaded.document.id, name: loaded.document.name }
  return (
    <>
      <ScopeForm
        scope={scope}
        draft={editor.draft}
        base={editor.base}
        busy={editor.busy}
        error={editor.error}
        onChange={editor.change}
        onSave={editor.submit}
        calls={editor.calls}
        onCancel={() => void navigate(scope ? paths.scope(scope.id) : paths.scopes())}
        merge={editor.merge}
        newer={editor.newer}
      />
      {reviewed && scope && (
        <ReviewDialog
          scope={scope}
          body={reviewed}
          busy={editor.busy}
          onConfirm={() => editor.save(reviewed)}
          onClose={editor.endReview}
        />
      )}
      <LeaveGuard loses={editor.loses} />
    </>
  )
}

type ReviewDialogProps = {
  scope: Named
  /** The document to save. */
  body: ScopeBody
  busy: boolean
  onConfirm: () => void
  /** Back to the form, with the refusals of the change. */
  onClose: (refusals: ApiFault[]) => void
}

/** Before the form is saved: the effects of the change, and the affected users. */
function ReviewDialog({ scope: { id, name }, body, busy, onConfirm, onClose }: ReviewDialogProps) {
  const say = useTranslations('scopes.review')
  const sayCommon = useTranslations('common')
  const read = useQuery(impactQuery(id, body))
  return (
    <ImpactDialog
      title={say('title', { name })}
      read={{ ...read, impact: read.data }}
      refusedTitle={say('refused')}
      confirmLabel={sayCommon('save')}
      busyLabel={say('busy')}
      busy={busy}
      error={null}
      onConfirm={onConfirm}
      onCancel={() => onClose(read.data?.refusals ?? [])}
    />
  )
}
