import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { idIn } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/screens/paths'
import { useMay } from '#components/session/session'
import { CsvLink, csvHref } from '#components/table/csv-link'
import { NoMatch, NothingYet } from '#components/table/table-states'
import { scopesPath } from '#lib/scopes/scopes.queries'
import { Carried } from './carried'
import { EnterpriseFilter } from './enterprise-filter'
import { ScopeDialogs } from './scope-dialogs'
import type { Asked } from './scope-menu'
import { ScopeTreeGrid, TreeFilter } from './scope-tree'
import { useCarrying } from './use-carrying'
import { useOpenScopes } from './use-open-scopes'
import { useScopeTree } from './use-scope-tree'

/** All scopes that the user sees, as the tree that they are. */
export function Component() {
  const say = useTranslations('scopes')
  const navigate = useNavigate()
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const [asked, setAsked] = useState<Asked>()
  const { has, enterprise, search } = useSearch()
  const { open, change } = useOpenScopes('scopes.open')
  const tree = useScopeTree({ has, enterprise, open, onOpenChange: change })
  const { carried, putBack, carrying } = useCarrying(tree, setAsked)
  const isFiltered = has !== '' || enterprise !== undefined

  const newScope = (
    <Button variant="primary" onClick={() => void navigate(paths.newScope())}>
      {say('newScope')}
    </Button>
  )

  return (
    <Page
      title={say('title')}
      description={say('about')}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <CsvLink
            href={csvHref(scopesPath, { by: 'name', has: has || undefined, enterprise })}
            total={tree.loading ? undefined : tree.roots.length}
          />
          {mayChange && newScope}
        </SpaceBetween>
      }
    >
      <SpaceBetween size="s">
        {carried && <Carried name={carried.name} onPutBack={putBack} />}
        <Container>
          <SpaceBetween size="s">
            <TreeFilter tree={tree} onSearch={(text) => search({ has: text })}>
              <EnterpriseFilter value={enterprise} onChange={(chosen) => search({ enterprise: chosen })} />
            </TreeFilter>
            <ScopeTreeGrid
              tree={tree}
              label={say('tree.label')}
              ofEnterprise={enterprise !== undefined}
              carried={carried?.id}
              carrying={carrying}
              onAsk={mayChange ? setAsked : undefined}
              empty={
                isFiltered ? (
                  <NoMatch onClear={() => search({ has: '', enterprise: undefined })} />
                ) : (
                  <NothingYet
                    title={say('tree.empty')}
                    hint={say('tree.emptyHint')}
                    action={mayChange && newScope}
                  />
                )
              }
            />
          </SpaceBetween>
        </Container>
      </SpaceBetween>
      <ScopeDialogs
        asked={asked}
        onClose={() => setAsked(undefined)}
        onMoved={(parent) => parent !== undefined && tree.reveal(parent)}
        onRemoved={(id) => {
          if (open?.has(id)) change(new Map([...open].filter(([other]) => other !== id)))
        }}
      />
    </Page>
  )
}

type Search = { has: string; enterprise: number | undefined }

/** What the tree is searched for, in the address. Typing on refines the same search: one step back leads out of it. */
function useSearch() {
  const [params, setParams] = useSearchParams()
  const has = params.get('has') ?? ''
  const enterprise = idIn(params, 'enterprise')
  const search = (changes: Partial<Search>) => {
    const next = { has, enterprise, ...changes }
    setParams(
      (now) => {
        for (const name of ['has', 'enterprise'] as const) {
          if (next[name]) now.set(name, String(next[name]))
          else now.delete(name)
        }
        return now
      },
      { replace: has !== '' && next.has !== '' && next.has !== has, preventScrollReset: true },
    )
  }
  return { has, enterprise, search }
}
