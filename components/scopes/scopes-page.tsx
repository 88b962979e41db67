import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Page } from '#components/layout/page'
import { useMay } from '#components/layout/session'
import { NoMatch, NothingYet } from '#components/layout/table-states'
import { paths } from '#components/paths'
import { ScopeDialogs } from './scope-dialogs'
import type { Asked } from './scope-menu'
import { ScopeTreeTable, TreeFilter } from './scope-tree'
import { actionsColumn, countColumns, nameColumn } from './tree-columns'
import { useOpenScopes } from './use-open-scopes'
import { useScopeTree } from './use-scope-tree'

/** All scopes that the user sees, as the tree that they are. */
export function Component() {
  const navigate = useNavigate()
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const [asked, setAsked] = useState<Asked>()
  const { has, search } = useSearch()
  const { open, change } = useOpenScopes('scopes.open')
  const tree = useScopeTree({ has, open, onOpenChange: change })

  const newScope = (
    <Button variant="primary" onClick={() => void navigate(paths.newScope())}>
      New scope
    </Button>
  )

  return (
    <Page
      title="Scopes"
      description="A scope says which enterprises and datacenters its users see. Users see their own scope and all below it."
      actions={mayChange && newScope}
    >
      <ScopeTreeTable
        tree={tree}
        label="Scopes"
        columns={[nameColumn(has), ...countColumns, ...(mayChange ? [actionsColumn(setAsked)] : [])]}
        filter={<TreeFilter tree={tree} onSearch={search} />}
        empty={
          has === '' ? (
            <NothingYet title="No scopes" hint="You see no scope yet." action={mayChange && newScope} />
          ) : (
            <NoMatch onClear={() => search('')} />
          )
        }
      />
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

/** The search text, in the address. Typing on refines the same search: one step back leads out of it. */
function useSearch() {
  const [params, setParams] = useSearchParams()
  const has = params.get('has') ?? ''
  const search = (text: string) =>
    setParams(
      (now) => {
        if (text === '') now.delete('has')
        else now.set('has', text)
        return now
      },
      { replace: has !== '' && text !== '', preventScrollReset: true },
    )
  return { has, search }
}
