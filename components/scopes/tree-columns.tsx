import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import type { TableProps } from '@cloudscape-design/components/table'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/layout/app-link'
import { paths } from '#components/paths'
import type { ScopeTreeNode } from '#lib/scopes/scopes.schema'
import { MarkedText } from './marked-text'
import { type Asked, ScopeMenu } from './scope-menu'
import { unlimitedMark } from './scope-rules'
import styles from './scopes.module.css'

type Column = TableProps.ColumnDefinition<ScopeTreeNode>

type NameCellProps = {
  node: ScopeTreeNode
  has: string
  /** It is shown for what stands below it alone. */
  onTheWay?: boolean
  isCarried?: boolean
  children?: ReactNode
}

/** The name of a scope in the tree; the keys of the tree find the row by `data-scope`. */
export function ScopeNameCell({ node, has, onTheWay = false, isCarried = false, children }: NameCellProps) {
  const say = useTranslations('scopes')
  const mark = unlimitedMark(node)
  return (
    <span data-scope={node.id} className={isCarried ? `${styles.name} ${styles.carried}` : styles.name}>
      {children ?? (
        <AppLink to={paths.scope(node.id)}>
          <MarkedText text={node.name} search={has} />
        </AppLink>
      )}
      {mark && <Badge color="blue">{say(`marks.${mark}`)}</Badge>}
      {onTheWay && <Box variant="small">{say('tree.onTheWay')}</Box>}
    </span>
  )
}

type TreeColumns = {
  has?: string
  /** The tree shows the scopes of one enterprise, and the way to them. */
  ofEnterprise?: boolean
  carried?: number | undefined
  /** Opens the dialogs of the actions; without it there are none. */
  onAsk?: ((asked: Asked) => void) | false
}

/** What the trees of scopes show of each. */
export function useTreeColumns({ has = '', ofEnterprise = false, carried, onAsk }: TreeColumns): Column[] {
  const say = useTranslations('scopes.tree')
  const format = useFormatter()
  const count = (number: number, unlimited: boolean) => (unlimited ? say('all') : format.number(number))
  const columns: Column[] = [
    {
      id: 'name',
      header: say('name'),
      minWidth: 230,
      isRowHeader: true,
      cell: (node) => (
        <ScopeNameCell
          node={node}
          has={has}
          onTheWay={ofEnterprise && !node.match}
          isCarried={node.id === carried}
        />
      ),
    },
    {
      id: 'enterprises',
      header: say('enterprises'),
      width: 130,
      cell: (node) => count(node.enterprises, node.automaticAddEnterprise),
    },
    {
      id: 'datacenters',
      header: say('datacenters'),
      width: 160,
      cell: (node) => count(node.datacenters, node.automaticAddDatacenter),
    },
    { id: 'users', header: say('users'), width: 110, cell: (node) => count(node.users, false) },
  ]
  if (onAsk) {
    columns.push({
      id: 'actions',
      header: say('actions'),
      width: 100,
      cell: (node) => (
        <ScopeMenu scope={node} actions={['newChild', 'edit', 'move', 'delete']} onAsk={onAsk} />
      ),
    })
  }
  return columns
}
