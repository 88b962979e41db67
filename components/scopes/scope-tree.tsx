import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure, FailureText } from '#components/base/forms/failure'
import { CountOfMarks } from '#components/frame/as-of/present'
import { Button } from '#components/kit/button'
import { screenIcons } from '#components/kit/screen-icons'
import { Status } from '#components/kit/status'
import { Progress } from '#components/table/table-states'
import type { Token } from '#components/table/table-tokens'
import { TokenFilter } from '#components/table/token-filter'
import { treePageSize } from '#lib/caller/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { RowMenu, type ScopeRequest } from './scope-menu'
import styles from './tree-grid.module.css'
import { isNode, type RestLine } from './tree-lines'
import { aboveOf, TreeRow } from './tree-row'
import type { ScopeTree } from './use-scope-tree'
import { useSinceWords } from './use-scopes-since'
import { useTreeDrag } from './use-tree-drag'
import { type Carrying, useTreeKeys } from './use-tree-keys'

type TreeFilterProps = {
  tree: ScopeTree
  tokens?: readonly Token<'changed' | 'tag'>[]
  filters?: { changed?: string | undefined; tag?: string | undefined }
  onSearch: (search: { has: string; changed: string | undefined; tag: string | undefined }) => void
  /** Further controls that narrow the tree. */
  children?: ReactNode
}

/** Searches the whole tree on the server. */
export function TreeFilter({ tree, tokens = [], filters = {}, onSearch, children }: TreeFilterProps) {
  const say = useTranslations('scopes.tree')
  const sayTable = useTranslations('layout.table')
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined)
  return (
    <div className={`kit ${styles.filter}`}>
      <TokenFilter
        label={say('find')}
        tokens={tokens}
        table={{
          has: tree.has,
          filters: Object.fromEntries(chosen),
          filterValues: { changed: 'change', tag: 'text' },
          setSearch: (has, { changed, tag }) => onSearch({ has, changed, tag }),
        }}
      />
      {(tree.has !== '' || chosen.length > 0) && tree.hits !== undefined && (
        <span role="status" className="quiet">
          {sayTable('matches', { count: tree.hits })}
        </span>
      )}
      {children}
      <Progress isActive={tree.searching} />
    </div>
  )
}

/** In a picker the user chooses one scope; `refusal` returns the reason why a scope cannot be chosen. */
type Picking = {
  chosen: number | undefined
  refusal: (node: ScopeTreeNode) => string | undefined
  onChoose: (node: ScopeTreeNode) => void
}

type ScopeTreeGridProps = {
  tree: ScopeTree
  label: string
  empty: ReactNode
  /** The tree shows the scopes of one enterprise with their ancestors. */
  ofEnterprise?: boolean
  carried?: number | undefined
  carrying?: Carrying | undefined
  picking?: Picking
  /** The scope that is open beside the tree. */
  opened?: number | undefined
  /** Shows a scope beside the tree: a press on its row, or Space on its name. */
  onOpen?: (node: ScopeTreeNode) => void
  /** Opens the dialogs of the actions; without it rows have no actions. */
  onRequest?: ((request: ScopeRequest) => void) | undefined
}

// HTML has no element for a treegrid (WAI-ARIA): a table with cells reached by arrow keys and rows that open.
const treegrid = { role: 'treegrid' }

/** Scopes as a tree. Opening a scope loads its children page by page. */
export function ScopeTreeGrid(props: ScopeTreeGridProps) {
  const {
    tree,
    label,
    empty,
    ofEnterprise = false,
    carried,
    carrying,
    picking,
    opened,
    onOpen,
    onRequest,
  } = props
  const say = useTranslations('scopes.tree')
  const sinceText = useSinceWords()
  const [menu, setMenu] = useState<{ node: ScopeTreeNode; at: HTMLElement }>()
  const { lines } = tree
  const choose = (node: ScopeTreeNode) => picking?.refusal(node) === undefined && picking?.onChoose(node)
  const { stop, onFocus, onKeyDown } = useTreeKeys({
    lines,
    columns: picking ? 1 : onRequest ? 5 : 4,
    onToggle: tree.toggle,
    onChoose: picking && choose,
    onOpen,
    carrying,
  })
  const drag = useTreeDrag({
    nodeOf: tree.nodeOf,
    canDrag: (node) => carrying?.canPickUp(node) ?? false,
    canDrop: (node, onto) => carrying?.canPutDown(node, onto) ?? false,
    onDrop: (node, onto) => carrying?.move(node, onto),
    onRest: ({ id, children }) => children > 0 && tree.reveal(id),
  })
  const onClick = useRowClicks({
    tree,
    openMenu: (node, at) => setMenu({ node, at }),
    choose: picking && choose,
    onOpen,
  })

  if (tree.loading) return <Status kind="busy">{say('loading')}</Status>
  if (tree.error && lines.length === 0) return <Failure error={tree.error} retry={() => tree.retry(0)} />
  if (lines.length === 0) return empty

  return (
    <div className={styles.scroll}>
      {tree.since.isOn && <CountOfMarks count={tree.since.marks} />}
      <table
        {...treegrid}
        aria-label={label}
        className={picking ? styles.picker : onRequest ? styles.acting : styles.grid}
        onClick={onClick}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onPointerDown={carrying && drag}
      >
        <Headings isPicker={picking !== undefined} hasActions={onRequest !== undefined} />
        <tbody>
          {lines.map((line) =>
            isNode(line) ? (
              <TreeRow
                {...line}
                key={line.key}
                line={line.key}
                stop={stop.key === line.key ? stop.column : undefined}
                has={tree.has}
                isCarried={line.node.id === carried}
                isOpen={line.node.id === opened}
                canMove={carrying?.canPickUp(line.node) ?? false}
                isOnTheWay={ofEnterprise && !line.node.match}
                isChosen={picking && picking.chosen === line.node.id}
                refusal={picking?.refusal(line.node)}
                since={tree.since.of(line.node.id)}
                sinceText={sinceText(tree.since, line.node.id)}
                menu={onRequest ? (menu?.node.id === line.node.id ? 'open' : 'closed') : 'none'}
              />
            ) : (
              <Rest key={line.key} line={line} tree={tree} isStop={stop.key === line.key} />
            ),
          )}
        </tbody>
      </table>
      {menu && onRequest && (
        <RowMenu scope={menu.node} at={menu.at} onRequest={onRequest} onClose={() => setMenu(undefined)} />
      )}
    </div>
  )
}

type RowClicks = {
  tree: ScopeTree
  openMenu: (node: ScopeTreeNode, at: HTMLElement) => void
  /** In a picker. */
  choose: ((node: ScopeTreeNode) => unknown) | undefined
  onOpen: ((node: ScopeTreeNode) => void) | undefined
}

/** One listener for all rows: rows without handlers stay memoized. */
function useRowClicks({ tree, openMenu, choose, onOpen }: RowClicks) {
  const navigate = useNavigate()
  return (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : undefined
    const node = tree.nodeOf(Number(target?.closest<HTMLElement>('[data-scope]')?.dataset.scope))
    if (!target || !node) return
    if (target.closest('[data-toggle]')) return tree.toggle(node.id)
    const dots = target.closest<HTMLElement>('[data-menu]')
    if (dots) return openMenu(node, dots)
    if (choose) return void choose(node)
    const href = target.closest('a')?.getAttribute('href')
    if (!href) return onOpen?.(node)
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(href)
  }
}

function Headings({ isPicker, hasActions }: { isPicker: boolean; hasActions: boolean }) {
  const say = useTranslations('scopes.tree')
  const facts = isPicker ? [] : (['enterprises', 'datacenters', 'users'] as const)
  const names = ['name', ...facts, ...(hasActions ? (['actions'] as const) : [])] as const
  return (
    <thead>
      <tr className={styles.headings}>
        {names.map((name) => (
          <th key={name} scope="col">
            {name === 'actions' ? <span className="unseen">{say(name)}</span> : say(name)}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The last line of a branch that is not fully loaded: a button for more, a progress sign, or a failure. */
function Rest({ line, tree, isStop }: { line: RestLine; tree: ScopeTree; isStop: boolean }) {
  const { key, parent, level, status } = line
  const needsStop = status === 'loading' || status === 'empty'
  const place = useMoreInSight(status === 'pending', () => tree.showMore(parent))
  return (
    <tr ref={place} aria-level={level} className={styles.rest} data-line={key}>
      <td data-column={0} style={aboveOf(level + 1)} tabIndex={needsStop ? (isStop ? 0 : -1) : undefined}>
        <RestContent parent={parent} status={status} tree={tree} />
      </td>
    </tr>
  )
}

/** Shows more rows as soon as the end of the loaded ones comes into sight. The button remains for the keyboard. */
function useMoreInSight(isPending: boolean, showMore: () => void) {
  const place = useRef<HTMLTableRowElement>(null)
  const onSight = useEffectEvent(showMore)
  useEffect(() => {
    const row = place.current
    if (!row || !isPending) return
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) onSight()
    })
    observer.observe(row)
    return () => observer.disconnect()
  }, [isPending])
  return place
}

function RestContent({ parent, status, tree }: Pick<RestLine, 'parent' | 'status'> & { tree: ScopeTree }) {
  const say = useTranslations('scopes.tree')
  const words = useTranslations('common')
  if (status === 'loading') return <Status kind="busy">{say('loading')}</Status>
  if (status === 'empty') return <div className="quiet">{say('branchEmpty')}</div>
  if (status === 'error') {
    return (
      <>
        <Status kind="bad">
          {say('branchFailed')}{' '}
          <Button look="link" onPress={() => tree.retry(parent)}>
            {words('tryAgain')}
          </Button>
        </Status>
        <div className="small">
          <FailureText error={tree.failureOf(parent)} />
        </div>
      </>
    )
  }
  const { nodes, total } = tree.branch(parent)
  const left = total - nodes.length
  const amount = { count: Math.min(left, treePageSize), left }
  const name = tree.nodeOf(parent)?.name
  return (
    <Button
      look="link"
      icon={screenIcons.plus}
      label={name === undefined ? say('more', amount) : say('moreBelow', { ...amount, name })}
      onPress={() => tree.showMore(parent)}
    >
      {say('more', amount)}
    </Button>
  )
}
