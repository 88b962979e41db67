import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { idIn } from '#components/base/forms/ids'
import { NamedField } from '#components/base/pickers/named-picker'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { useMay, useMayPick } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { useImport } from '#components/import/use-import'
import { Button } from '#components/kit/button'
import { Row, Stack } from '#components/kit/layout'
import { CsvLink, csvHref } from '#components/table/csv-link'
import { useTagToken } from '#components/table/notes'
import { NoMatch, NothingYet } from '#components/table/table-states'
import { changedToken } from '#components/table/table-tokens'
import { isFilterValue } from '#components/table/table-url'
import { isSearch, scopesPath, type TreeSearch } from '#lib/caller/scopes/scopes.queries'
import { Carried, useCarrying } from './carrying'
import { useEntityNames } from './entities'
import { useOpenScopes } from './open-scopes'
import { ScopeDialogs } from './scope-dialogs'
import type { ScopeRequest } from './scope-menu'
import { ScopePanel, useOpenScope } from './scope-panel'
import { ScopeTreeGrid, TreeFilter } from './scope-tree'
import styles from './scopes.module.css'
import { useScopeTree } from './use-scope-tree'

/** The tree of all scopes that the user sees. */
export function Component() {
  const say = useTranslations('scopes')
  const mayChange = useMay('USERS_MANAGE_SCOPES')
  const [request, setRequest] = useState<ScopeRequest>()
  const label = useTranslations('labels')
  const { has, enterprise, changed, tag, search } = useSearch()
  const { open, change } = useOpenScopes('scopes.open')
  const tree = useScopeTree({ has, enterprise, changed, tag, open, onOpenChange: change })
  const { carried, putBack, carrying } = useCarrying(tree, setRequest)
  const importing = useImport('scopes')
  const opened = useOpenScope(tree.nodeOf)
  const isFiltered = isSearch({ has, enterprise, changed, tag })
  const tokens = [changedToken(label('changed')), useTagToken()]

  return (
    <Page
      title={say('title')}
      description={say('about')}
      actions={
        <Row>
          <AppButton to={paths.scopeMap()}>{say('map.short')}</AppButton>
          <CsvLink
            href={csvHref(scopesPath, { by: 'name', has: has || undefined, enterprise, changed, tag })}
            total={tree.loading ? undefined : tree.branch(0).nodes.length}
            onImport={importing.open}
          />
          {mayChange && <NewScopeButton />}
        </Row>
      }
    >
      {importing.dialog}
      <Stack>
        {carried && <Carried name={carried.name} onPutBack={putBack} />}
        <TreeFilter tree={tree} tokens={tokens} filters={{ changed, tag }} onSearch={search}>
          <EnterpriseFilter value={enterprise} onChange={(chosen) => search({ enterprise: chosen })} />
        </TreeFilter>
        <div className={styles.beside}>
          <ScopeTreeGrid
            tree={tree}
            opened={opened.node?.id}
            onOpen={opened.show}
            label={say('tree.label')}
            ofEnterprise={enterprise !== undefined}
            carried={carried?.id}
            carrying={carrying}
            onRequest={mayChange ? setRequest : undefined}
            empty={
              isFiltered ? (
                <NoMatch onClear={() => search(noSearch)} />
              ) : (
                <NothingYet
                  title={say('tree.empty')}
                  hint={say('tree.emptyHint')}
                  action={mayChange && <NewScopeButton />}
                />
              )
            }
          />
          {opened.node && (
            <ScopePanel
              key={opened.node.id}
              node={opened.node}
              now={tree.since.of(opened.node.id)?.now}
              onClose={opened.close}
            />
          )}
        </div>
      </Stack>
      <ScopeDialogs
        request={request}
        onClose={() => setRequest(undefined)}
        onMoved={(parent) => parent !== undefined && tree.reveal(parent)}
        onRemoved={(id) => {
          if (open?.has(id)) change(new Map([...open].filter(([other]) => other !== id)))
        }}
      />
    </Page>
  )
}

function NewScopeButton() {
  const label = useTranslations('labels')
  const navigate = useNavigate()
  return (
    <Button look="main" onPress={() => void navigate(paths.newScope())} data-key="n">
      {label('createScope')}
    </Button>
  )
}

const noSearch: TreeSearch = { has: '', enterprise: undefined, changed: undefined, tag: undefined }

/** The search of the tree, kept in the address. Typing more refines the same history entry, so one step back ends the search. */
function useSearch() {
  const [params] = useSearchParams()
  const has = params.get('has') ?? ''
  const enterprise = idIn(params, 'enterprise')
  const asked = params.get('changed') ?? ''
  const changed = isFilterValue('change', asked) ? asked : undefined
  const tag = params.get('tag') || undefined
  const change = useSearchChange()
  const search = (changes: Partial<TreeSearch>) => {
    const next = { has, enterprise, changed, tag, ...changes }
    change(
      { ...next, enterprise: next.enterprise?.toString() },
      { replace: has !== '' && next.has !== '' && next.has !== has },
    )
  }
  return { has, enterprise, changed, tag, search }
}

type EnterpriseFilterProps = { value: number | undefined; onChange: (enterprise: number | undefined) => void }

/** Limits the tree to the scopes that open one enterprise. */
function EnterpriseFilter({ value, onChange }: EnterpriseFilterProps) {
  const say = useTranslations('scopes.visibleIn')
  const mayPick = useMayPick('enterprise')
  const [name = ''] = useEntityNames('ENTERPRISE', value === undefined ? [] : [value])
  // Without the list, the user can only clear a choice that came with the address.
  if (!mayPick && value === undefined) return null
  return (
    <div style={{ flex: '0 1 320px', minInlineSize: 220 }}>
      <NamedField
        kind="enterprise"
        label={say('label')}
        value={value === undefined ? undefined : { id: value, name }}
        none={{ label: say('any') }}
        onChange={(chosen) => onChange(chosen?.id)}
      />
    </div>
  )
}
