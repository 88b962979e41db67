import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { useMay, useSession } from '#components/base/session/session'
import { FactsOf } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Card, Columns, Row, Stack } from '#components/kit/layout'
import { Tool } from '#components/kit/tool'
import { useNoteFacts } from '#components/table/notes'
import { parentOf, scopeAncestors, scopeQuery } from '#lib/caller/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/caller/scopes/scopes.schema'
import { ApiFailure } from '#lib/client/api'
import type { Named } from '#lib/ground/http/view'
import { EntityList } from './entities'
import { ScopeDialogs } from './scope-dialogs'
import { ScopeMenu, type ScopeRequest } from './scope-menu'
import { refusalOf, unlimitedMark } from './scope-rules'
import { ScopeTabs } from './scope-tabs'

export function Component() {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')
  const id = Number(useParams().scope)
  const scope = useQuery(scopeQuery(id))
  // A refetch that finds the scope gone keeps the old data.
  const isGone = scope.error instanceof ApiFailure && scope.error.status === 404
  if (scope.data && !isGone) return <Detail key={id} scope={scope.data.document} />
  return (
    <Page title={label('scope')} breadcrumbs={[{ text: say('title'), href: paths.scopes() }]}>
      <Waiting read={scope} />
    </Page>
  )
}

function Detail({ scope }: { scope: ScopeDocument }) {
  const say = useTranslations('scopes')
  const navigate = useNavigate()
  const [chosen, setRequest] = useState<ScopeRequest>()
  const { asked, answer } = useAskedMove(scope)
  const request = chosen ?? asked
  const way = useQuery(scopeAncestors(scope)).data ?? []
  const crumbs = [
    { text: say('title'), href: paths.scopes() },
    ...way.map(({ id, name }) => ({ text: name, href: paths.scope(id) })),
  ]
  return (
    <Page
      title={scope.name}
      breadcrumbs={crumbs}
      actions={<DetailActions scope={scope} onRequest={setRequest} />}
    >
      <Stack gap="l">
        <ScopeFacts scope={scope} />
        <Columns count={2}>
          <EntityList scope={scope} type="ENTERPRISE" />
          <EntityList scope={scope} type="DATACENTER" />
        </Columns>
        <ScopeTabs scope={scope} onRequest={setRequest} />
      </Stack>
      <ScopeDialogs
        request={request}
        onClose={() => {
          setRequest(undefined)
          answer()
        }}
        onRemoved={(id) => id === scope.id && void navigate(paths.scopes())}
      />
    </Page>
  )
}

/** The address can ask for the move of the scope, if the user may move it. */
function useAskedMove(scope: ScopeDocument): { asked: ScopeRequest | undefined; answer: () => void } {
  const [search] = useSearchParams()
  const change = useSearchChange()
  const own = useSession().scope
  const mayMove = useMay(...access.manageScopes) && refusalOf('move', scope, own) === undefined
  const isAsked = search.get('do') === 'move'
  return {
    asked: isAsked && mayMove ? { action: 'move', scope } : undefined,
    answer: () => isAsked && change({ do: undefined }, { replace: true }),
  }
}

type DetailProps = { scope: ScopeDocument; onRequest: (request: ScopeRequest) => void }

function DetailActions({ scope, onRequest }: DetailProps) {
  const say = useTranslations('scopes')
  const navigate = useNavigate()
  const own = useSession().scope
  const refusal = refusalOf('edit', scope, own)
  const map = <AppButton to={paths.scopeMap(scope.id)}>{say('map.short')}</AppButton>
  if (!useMay('USERS_MANAGE_SCOPES')) return map
  return (
    <Row>
      {map}
      <ScopeMenu
        scope={scope}
        actions={['newChild', 'move', 'delete']}
        text={say('menu.text')}
        onRequest={onRequest}
      />
      <Tool
        look="main"
        refused={refusal && say(`rules.${refusal}`)}
        onPress={() => void navigate(paths.editScope(scope.id))}
        data-key="e"
      >
        {say('menu.edit')}
      </Tool>
    </Row>
  )
}

function ScopeFacts({ scope }: { scope: ScopeDocument }) {
  const say = useTranslations('scopes.page')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.scopes())
  const parentLink = (parent: Named | undefined) =>
    parent ? <AppLink to={paths.scope(parent.id)}>{parent.name}</AppLink> : label('none')
  return (
    <Card title={say('details')}>
      <FactsOf
        of={scope}
        columns={3}
        items={(document) => [
          ...ofNotes(document),
          { label: label('id'), value: document.id },
          { label: label('parentScope'), value: parentLink(parentOf(document)) },
          { label: say('unlimitedIn'), value: say(`in.${unlimitedMark(document) ?? 'nothing'}`) },
        ]}
      />
    </Card>
  )
}
