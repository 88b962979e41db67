import Badge from '@cloudscape-design/components/badge'
import type { TableProps } from '@cloudscape-design/components/table'
import { AppLink } from '#components/layout/app-link'
import { paths } from '#components/paths'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { MarkedText } from './marked-text'
import { type Asked, ScopeMenu } from './scope-menu'
import { unlimitedMark } from './scope-rules'
import styles from './scopes.module.css'

type Column = TableProps.ColumnDefinition<ScopeTreeNode>

const count = (number: number, unlimited: boolean) => (unlimited ? 'All' : number.toLocaleString())

export const countColumns: Column[] = [
  {
    id: 'enterprises',
    header: 'Enterprises',
    width: 130,
    cell: (node) => count(node.enterprises, node.automaticAddEnterprise),
  },
  {
    id: 'datacenters',
    header: 'Datacenters',
    width: 130,
    cell: (node) => count(node.datacenters, node.automaticAddDatacenter),
  },
  { id: 'users', header: 'Users', width: 100, cell: (node) => count(node.users, false) },
]

/** The name of a scope in the tree; the keys of the tree find the row by `data-scope`. */
export function ScopeNameCell({
  node,
  has,
  children,
}: {
  node: ScopeTreeNode
  has: string
  children?: React.ReactNode
}) {
  const mark = unlimitedMark(node)
  return (
    <span data-scope={node.id} className={styles.name}>
      {children ?? (
        <AppLink to={paths.scope(node.id)}>
          <MarkedText text={node.name} search={has} />
        </AppLink>
      )}
      {mark && <Badge color="blue">{mark}</Badge>}
    </span>
  )
}

export const nameColumn = (has: string): Column => ({
  id: 'name',
  header: 'Name',
  minWidth: 230,
  isRowHeader: true,
  cell: (node) => <ScopeNameCell node={node} has={has} />,
})

export const actionsColumn = (onAsk: (asked: Asked) => void): Column => ({
  id: 'actions',
  header: 'Actions',
  width: 90,
  cell: (node) => <ScopeMenu scope={node} actions={['newChild', 'edit', 'move', 'delete']} onAsk={onAsk} />,
})
