import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import type { ReactNode } from 'react'
import { Failure, FailureText } from '#components/layout/failure'
import { TableFilter } from '#components/layout/table-filter'
import { Progress } from '#components/layout/table-states'
import { treePageSize } from '#lib/scopes/scopes.queries'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import styles from './scopes.module.css'
import type { ScopeTree } from './use-scope-tree'
import { useTreeKeys } from './use-tree-keys'

/** Finds scopes anywhere in the tree, on the server. */
export const TreeFilter = ({ tree, onSearch }: { tree: ScopeTree; onSearch: (has: string) => void }) => (
  <div className={styles.filter}>
    <TableFilter
      label="Find scopes by name"
      has={tree.has}
      total={tree.hits}
      isLoading={tree.searching}
      onSearch={onSearch}
    />
    <Progress isActive={tree.searching} />
  </div>
)

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
}

/** Scopes as a tree (treegrid): children are loaded as they are opened, a page at a time. */
export function ScopeTreeTable({
  tree,
  label,
  columns,
  header,
  filter,
  empty,
  variant = 'container',
  picking,
}: ScopeTreeTableProps) {
  const onKeys = useTreeKeys(tree, { leaveToTheLeft: picking !== undefined })
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
        loadingText="Loading scopes"
        empty={tree.error ? <Failure error={tree.error} retry={() => tree.retry(0)} /> : empty}
        ariaLabels={labels(label)}
        expandableRows={{
          getItemChildren: (node) => (tree.isOpen(node.id) ? tree.childrenOf(node.id) : []),
          isItemExpandable: tree.canOpen,
          expandedItems: tree.rows.filter(({ id }) => tree.isOpen(id)),
          onExpandableItemToggle: ({ detail }) => tree.toggle(detail.item.id),
        }}
        {...loaders(tree)}
        {...(picking && selection(picking))}
      />
    </div>
  )
}

const labels = (label: string): TableProps.AriaLabels<ScopeTreeNode> => ({
  tableLabel: label,
  expandButtonLabel: ({ name }) => `Open ${name}`,
  collapseButtonLabel: ({ name }) => `Close ${name}`,
  selectionGroupLabel: 'Choice of a scope',
  itemSelectionLabel: (_, { name }) => `Choose ${name}`,
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
const loaders = (tree: ScopeTree): Partial<TableProps<ScopeTreeNode>> => ({
  getLoadingStatus: (node) => tree.branch(node?.id ?? 0).status,
  renderLoaderPending: ({ item }: Detail) => {
    const { nodes, total } = tree.branch(item?.id ?? 0)
    const left = total - nodes.length
    const text = `Show ${Math.min(left, treePageSize)} more of ${left.toLocaleString()}`
    return (
      <Button
        variant="inline-link"
        iconName="add-plus"
        ariaLabel={item ? `${text} below ${item.name}` : text}
        onClick={() => tree.showMore(item?.id ?? 0)}
      >
        {text}
      </Button>
    )
  },
  renderLoaderLoading: () => <StatusIndicator type="loading">Loading</StatusIndicator>,
  renderLoaderError: ({ item }: Detail) => (
    <>
      <StatusIndicator type="error">
        These scopes could not be loaded.{' '}
        <Button variant="inline-link" onClick={() => tree.retry(item?.id ?? 0)}>
          Try again
        </Button>
      </StatusIndicator>
      <Box variant="small" display="block">
        <FailureText error={tree.failureOf(item?.id ?? 0)} />
      </Box>
    </>
  ),
  renderLoaderEmpty: () => <Box color="text-body-secondary">No scopes below this one any more</Box>,
})
