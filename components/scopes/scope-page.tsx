import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { useNeeds } from '#components/forms/reasons'
import { Page } from '#components/layout/page'
import { access } from '#components/screens/access'
import { paths } from '#components/screens/paths'
import { useMay, useSession } from '#components/session/session'
import { NothingYet } from '#components/table/table-states'
import { TableTabs } from '#components/table/table-tabs'
import { ApiFailure } from '#lib/client/api'
import { parentOf, scopeAncestors, scopeQuery } from '#lib/scopes/scopes.queries'
import type { ScopeDocument } from '#lib/scopes/scopes.schema'
import { Carried } from './carried'
import { EntityList } from './entity-list'
import { NotHere } from './not-here'
import { ScopeDialogs } from './scope-dialogs'
import { ScopeFacts } from './scope-facts'
import { type Asked, ScopeMenu } from './scope-menu'
import { refusalOf } from './scope-rules'
import { ScopeTreeGrid } from './scope-tree'
import { DefaultOfEnterprises, RolesOfScope, UsersOfScope } from './scope-uses'
import { useCarrying } from './use-carrying'
import { useOpenScopes } from './use-open-scopes'
import { useScopeTree } from './use-scope-tree'

export function Component() {
  const say = useTranslations('scopes')
  const id = Number(useParams().scope)
  const scope = useQuery(scopeQuery(id))
  const isGone = scope.error instanceof ApiFailure && scope.error.status === 404
  if (scope.data && !isGone) return <Detail key={id} scope={scope.data.document} />
  return (
    <Page title={say('page.title')} breadcrumbs={[{ text: say('title'), href: paths.scopes() }]}>
      <NotHere text={say('loadingScope')} error={scope.error} retry={() => void scope.refetch()} />
    </Page>
  )
}

function Detail({ scope }: { scope: ScopeDocument }) {
  const say = useTranslations('scopes')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const way = useQuery(scopeAncestors(scope)).data ?? []
  const crumbs = [
    { text: say('title'), href: paths.scopes() },
    ...way.map(({ id, name }) => ({ text: name, href: paths.scope(id) })),
  ]
  return (
    <Page title={scope.name} breadcrumbs={crumbs} actions={<DetailActions scope={scope} onAsk={setAsked} />}>
      <SpaceBetween size="l">
        <ScopeFacts scope={scope} parent={parentOf(scope)} />
        <Grid gridDefinition={[{ colspan: { default: 12, m: 8 } }, { colspan: { default: 12, m: 4 } }]}>
          <EntityList scope={scope} type="ENTERPRISE" />
          <EntityList scope={scope} type="DATACENTER" />
        </Grid>
        <Uses scope={scope} onAsk={setAsked} />
      </SpaceBetween>
      <ScopeDialogs
        asked={asked}
        onClose={() => setAsked(undefined)}
        onRemoved={(id) => id === scope.id && void navigate(paths.scopes())}
      />
    </Page>
  )
}

type DetailProps = { scope: ScopeDocument; onAsk: (asked: Asked) => void }

function DetailActions({ scope, onAsk }: DetailProps) {
  const say = useTranslations('scopes')
  const navigate = useNavigate()
  const own = useSession().scope
  const refusal = refusalOf('edit', scope, own)
  if (!useMay('USERS_MANAGE_SCOPES')) return null
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ScopeMenu
        scope={scope}
        actions={['newChild', 'move', 'delete']}
        text={say('menu.text')}
        onAsk={onAsk}
      />
      <Button
        variant="primary"
        disabled={refusal !== undefined}
        {...(refusal && { disabledReason: say(`rules.${refusal}`) })}
        onClick={() => void navigate(paths.editScope(scope.id))}
      >
        {say('menu.edit')}
      </Button>
    </SpaceBetween>
  )
}

/** What hangs on the scope: the scopes below it, and who and what uses it. */
function Uses({ scope, onAsk }: DetailProps) {
  const say = useTranslations('scopes')
  const needs = useNeeds()
  const maySeeUsers = useMay(...access.users)
  const maySeeRoles = useMay(...access.roles)
  const maySeeEnterprises = useMay(...access.enterprises)
  return (
    <TableTabs
      label={say('page.tabs', { name: scope.name })}
      tabs={[
        { id: 'below', label: say('below.title'), content: <ScopesBelow scope={scope} onAsk={onAsk} /> },
        {
          id: 'users',
          label: say('users.title'),
          content: maySeeUsers && <UsersOfScope scope={scope.id} />,
          ...(!maySeeUsers && { disabled: true, disabledReason: needs('USERS_VIEW') }),
        },
        {
          id: 'roles',
          label: say('roles.title'),
          content: maySeeRoles && <RolesOfScope scope={scope.id} />,
          ...(!maySeeRoles && { disabled: true, disabledReason: needs('USERS_VIEW_PRIVILEGES') }),
        },
        {
          id: 'enterprises',
          label: say('defaults.title'),
          content: maySeeEnterprises && <DefaultOfEnterprises scope={scope.id} />,
          ...(!maySeeEnterprises && { disabled: true, disabledReason: needs('ENTERPRISE_ENUMERATE') }),
        },
      ]}
    />
  )
}

function ScopesBelow({ scope, onAsk }: DetailProps) {
  const say = useTranslations('scopes')
  const format = useFormatter()
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const navigate = useNavigate()
  const { open, change } = useOpenScopes(`scopes.open.${scope.id}`)
  const tree = useScopeTree({ root: scope.id, open, onOpenChange: change })
  const { carried, putBack, carrying } = useCarrying(tree, onAsk)
  const { total, status } = tree.branch(0)
  const newScope = (
    <Button onClick={() => void navigate(paths.newScope(scope.id))}>{say('menu.newChild')}</Button>
  )
  return (
    <Container
      header={
        <Header
          variant="h2"
          {...(status !== 'loading' && { counter: `(${format.number(total)})` })}
          description={say('below.about')}
          actions={mayChange && total > 0 && newScope}
        >
          {say('below.title')}
        </Header>
      }
    >
      {carried && <Carried name={carried.name} onPutBack={putBack} />}
      <ScopeTreeGrid
        tree={tree}
        label={say('below.label', { name: scope.name })}
        carried={carried?.id}
        carrying={carrying}
        onAsk={mayChange ? onAsk : undefined}
        empty={
          <NothingYet
            title={say('below.empty')}
            hint={say('below.emptyHint')}
            action={mayChange && newScope}
          />
        }
      />
    </Container>
  )
}
