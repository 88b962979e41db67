import Button from '@cloudscape-design/components/button'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Page } from '#components/layout/page'
import { useMay, useSession } from '#components/layout/session'
import { NothingYet } from '#components/layout/table-states'
import { paths } from '#components/paths'
import { ApiFailure } from '#lib/client/api'
import { parentOf, scopeAncestors, scopeQuery } from '#lib/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'
import { EntityList } from './entity-list'
import { NotHere } from './not-here'
import { ScopeDialogs } from './scope-dialogs'
import { ScopeFacts } from './scope-facts'
import { type Asked, ScopeMenu } from './scope-menu'
import { refusalOf } from './scope-rules'
import { ScopeTreeTable } from './scope-tree'
import { actionsColumn, countColumns, nameColumn } from './tree-columns'
import { useOpenScopes } from './use-open-scopes'
import { useScopeTree } from './use-scope-tree'

const scopesCrumb = { text: 'Scopes', href: paths.scopes() }

export function Component() {
  const id = Number(useParams().scope)
  const scope = useQuery(scopeQuery(id))
  const isGone = scope.error instanceof ApiFailure && scope.error.status === 404
  if (scope.data && !isGone) return <Detail key={id} scope={scope.data.document} />
  return (
    <Page title="Scope" breadcrumbs={[scopesCrumb]}>
      <NotHere what="the scope" error={scope.error} retry={() => void scope.refetch()} />
    </Page>
  )
}

function Detail({ scope }: { scope: ScopeDocument }) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const way = useQuery(scopeAncestors(scope)).data ?? []
  const crumbs = [scopesCrumb, ...way.map(({ id, name }) => ({ text: name, href: paths.scope(id) }))]
  return (
    <Page title={scope.name} breadcrumbs={crumbs} actions={<DetailActions scope={scope} onAsk={setAsked} />}>
      <SpaceBetween size="l">
        <ScopeFacts scope={scope} parent={parentOf(scope)} />
        <Grid gridDefinition={[{ colspan: { default: 12, m: 8 } }, { colspan: { default: 12, m: 4 } }]}>
          <EntityList scope={scope} type="ENTERPRISE" />
          <EntityList scope={scope} type="DATACENTER" />
        </Grid>
        <ScopesBelow scope={scope} onAsk={setAsked} />
      </SpaceBetween>
      <ScopeDialogs
        asked={asked}
        onClose={() => setAsked(undefined)}
        onRemoved={(id) => id === scope.id && void navigate(paths.scopes())}
      />
    </Page>
  )
}

function DetailActions({ scope, onAsk }: { scope: ScopeDocument; onAsk: (asked: Asked) => void }) {
  const navigate = useNavigate()
  const own = useSession().scope
  const refusal = refusalOf('edit', scope, own)
  if (!useMay('USERS_MANAGE_SCOPES')) return null
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ScopeMenu scope={scope} actions={['newChild', 'move', 'delete']} text="Actions" onAsk={onAsk} />
      <Button
        variant="primary"
        disabled={refusal !== undefined}
        disabledReason={refusal}
        onClick={() => void navigate(paths.editScope(scope.id))}
      >
        Edit
      </Button>
    </SpaceBetween>
  )
}

function ScopesBelow({ scope, onAsk }: { scope: ScopeDocument; onAsk: (asked: Asked) => void }) {
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const navigate = useNavigate()
  const { open, change } = useOpenScopes(`scopes.open.${scope.id}`)
  const tree = useScopeTree({ root: scope.id, open, onOpenChange: change })
  const { total, status } = tree.branch(0)
  const newScope = <Button onClick={() => void navigate(paths.newScope(scope.id))}>New scope below</Button>
  return (
    <ScopeTreeTable
      tree={tree}
      label={`Scopes below ${scope.name}`}
      columns={[nameColumn(''), ...countColumns, ...(mayChange ? [actionsColumn(onAsk)] : [])]}
      header={
        <Header
          variant="h2"
          counter={status === 'loading' ? undefined : `(${total.toLocaleString()})`}
          description="Users of this scope see these too."
          actions={mayChange && total > 0 && newScope}
        >
          Scopes below
        </Header>
      }
      empty={
        <NothingYet
          title="No scopes below this one"
          hint="A scope below this one sees a part of what this one sees."
          action={mayChange && newScope}
        />
      }
    />
  )
}
