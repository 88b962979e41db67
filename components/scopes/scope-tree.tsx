import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Failure, FailureText } from '#components/layout/failure'
import { TableFilter } from '#components/layout/table-filter'
import { Progress } from '#components/layout/table-states'
import { treePageSize } from '#lib/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import type { Say } from '#lib/words/words'
import styles from './scopes.module.css'
import type { ScopeTree } from './use-scope-tree'
import { type Carrying, useTreeKeys } from './use-tree-keys'

type TreeFilterProps = {
  tree: ScopeTree
  onSearch: (has: string) => void
  /** Further controls that narrow the tree. */
  children?: ReactNode
}

/** Finds scopes anywhere in the tree, on the server. */
export function TreeFilter({ tree, onSearch, children }: TreeFilterProps) {
  const say = useTranslations('scopes.tree')
  return (
    <div className={styles.filter}>
      <TableFilter
        label={say('find')}
        has={tree.has}
        total={tree.hits}
        isLoading={tree.searching}
        onSearch={onSearch}
      />
      {children}
      <Progress isActive={tree.searching} />
    </div>
  )
}

/** For pickers: one scope of the tree is chosen; some cannot be. */
export type Picking = {
  chosen: ScopeTreeNode | undefined
  refusal: (node: ScopeTreeNode) => string | undefined
  onChoose: (node: ScopeTreeNode) => void
}

type ScopeTreeTableProps = {
  tree: ScopeTree
  label: string
  columns: readonly TableProps.ColumnDefinition<ScopeTreeNode>[]
  header?: ReactNode
  filter?: ReactNode
  empty: ReactNode
  variant?: TableProps.Variant
  picking?: Picking
  carrying?: Carrying | undefined
}

/** Scopes as a tree (treegrid): children are loaded as they are opened, a page at a time. */
export function ScopeTreeTable(props: ScopeTreeTableProps) {
  const { tree, label, columns, header, filter, empty, variant = 'container', picking, carrying } = props
  const say = useTranslations('scopes.tree')
  const words = useTranslations('common')
  const onKeys = useTreeKeys(tree, { leaveToTheLeft: picking !== undefined, carrying })
  return (
    // Before the table's own handling: a key that means something to the tree must not move the focus as well.
    <div role="presentation" onKeyDownCapture={onKeys}>
      <Table
        variant={variant}
        stickyHeader={variant === 'container'}
        stickyColumns={{ last: columns.at(-1)?.id === 'actions' ? 1 : 0 }}
        trackBy={(node) => String(node.id)}
        items={tree.roots}
        columnDefinitions={columns}
        header={header}
        filter={filter}
        loading={tree.loading}
        loadingText={say('loading')}
        empty={tree.error ? <Failure error={tree.error} retry={() => tree.retry(0)} /> : empty}
        ariaLabels={labels(say, label)}
        expandableRows={{
          getItemChildren: (node) => (tree.isOpen(node.id) ? tree.childrenOf(node.id) : []),
          isItemExpandable: tree.canOpen,
          expandedItems: tree.rows.filter(({ id }) => tree.isOpen(id)),
          onExpandableItemToggle: ({ detail }) => tree.toggle(detail.item.id),
        }}
        {...loaders(say, words('tryAgain'), tree)}
        {...(picking && selection(picking))}
      />
    </div>
  )
}

const labels = (say: Say<'scopes.tree'>, label: string): TableProps.AriaLabels<ScopeTreeNode> => ({
  tableLabel: label,
  expandButtonLabel: ({ name }) => say('open', { name }),
  collapseButtonLabel: ({ name }) => say('close', { name }),
  selectionGroupLabel: say('choice'),
  itemSelectionLabel: (_, { name }) => say('choose', { name }),
})

const selection = ({ chosen, refusal, onChoose }: Picking): Partial<TableProps<ScopeTreeNode>> => ({
  selectionType: 'single',
  selectedItems: chosen ? [chosen] : [],
  isItemDisabled: (node) => refusal(node) !== undefined,
  onSelectionChange: ({ detail }) => detail.selectedItems.slice(-1).forEach(onChoose),
  onRowClick: ({ detail }) => refusal(detail.item) === undefined && onChoose(detail.item),
})

type Detail = { item: ScopeTreeNode | null }

/** The last row of a branch that is not wholly there: more of it, on its way, or failed. */
const loaders = (
  say: Say<'scopes.tree'>,
  tryAgain: string,
  tree: ScopeTree,
): Partial<TableProps<ScopeTreeNode>> => ({
  getLoadingStatus: (node) => tree.branch(node?.id ?? 0).status,
  renderLoaderPending: ({ item }: Detail) => {
    const { nodes, total } = tree.branch(item?.id ?? 0)
    const left = total - nodes.length
    const amount = { count: Math.min(left, treePageSize), left }
    return (
      <Button
        variant="inline-link"
        iconName="add-plus"
        ariaLabel={item ? say('moreBelow', { ...amount, name: item.name }) : say('more', amount)}
        onClick={() => tree.showMore(item?.id ?? 0)}
      >
        {say('more', amount)}
      </Button>
    )
  },
  renderLoaderLoading: () => <StatusIndicator type="loading">{say('loading')}</StatusIndicator>,
  renderLoaderError: ({ item }: Detail) => (
    <>
      <StatusIndicator type="error">
        {say('branchFailed')}{' '}
        <Button variant="inline-link" onClick={() => tree.retry(item?.id ?? 0)}>
          {tryAgain}
        </Button>
      </StatusIndicator>
      <Box variant="small" display="block">
        <FailureText error={tree.failureOf(item?.id ?? 0)} />
      </Box>
    </>
  ),
  renderLoaderEmpty: () => <Box color="text-body-secondary">{say('branchEmpty')}</Box>,
})
