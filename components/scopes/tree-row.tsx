import { memo, type ReactNode, useEffect, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { MarkedText } from '#components/base/screens/text-match'
import { Badge } from '#components/kit/status'
import { ScopeMenu, type ScopeRequest } from './scope-menu'
import { unlimitedMark } from './scope-rules'
import styles from './tree-grid.module.css'
import type { NodeLine } from './tree-lines'

type TreeRowProps = Omit<NodeLine, 'key'> & {
  line: string
  /** The column of the tab stop, if the tab stop is in this row. */
  stop: number | undefined
  has: string
  isCarried: boolean
  canMove: boolean
  /** Shown only because a hit stands below. */
  isOnTheWay: boolean
  /** In a picker: whether this scope is chosen, and why it cannot be. */
  isChosen: boolean | undefined
  refusal: string | undefined
  menu: 'none' | 'closed' | 'open'
  onRequest: ((request: ScopeRequest) => void) | undefined
}

/** One scope in the tree. Memoized: of a thousand rows only those that changed render again. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { line, node, level, position, siblings, open, isChosen, refusal } = props
  return (
    <tr
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={open}
      // A row that cannot be chosen still opens, so it is not disabled: it has no selection, and its name includes the reason.
      aria-selected={refusal === undefined ? isChosen : undefined}
      data-refused={refusal !== undefined || undefined}
      className={styles.row}
      data-line={line}
      data-scope={node.id}
    >
      <NameCell {...props} />
      {isChosen === undefined && <FactCells {...props} />}
    </tr>
  )
})

const tabIndexAt = (stop: number | undefined, column: number) => (stop === column ? 0 : -1)

function NameCell(props: TreeRowProps) {
  const { node, level, open, stop, has, isCarried, canMove, isOnTheWay, isChosen, refusal } = props
  const say = useTranslations('scopes')
  const mark = unlimitedMark(node)
  const isPicking = isChosen !== undefined
  const name = <MarkedText text={node.name} search={has} className={styles.match} />
  return (
    <th
      scope="row"
      data-column={0}
      className={styles.name}
      style={{ paddingInlineStart: `${(level - 1) * indent}px` }}
      {...(isPicking && { tabIndex: tabIndexAt(stop, 0) })}
    >
      {open === undefined ? (
        <span className={styles.leaf} />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={styles.toggle}
          data-toggle
          aria-label={say(open ? 'tree.close' : 'tree.open', { name: node.name })}
          aria-expanded={open}
        />
      )}
      {canMove && <span className={styles.grip} data-grip aria-hidden="true" />}
      {isPicking && <span className={styles.radio} data-chosen={isChosen} aria-hidden="true" />}
      {isPicking ? (
        <span className={refusal === undefined ? undefined : styles.quiet}>{name}</span>
      ) : (
        <a
          className={isCarried ? `${styles.link} ${styles.carried}` : styles.link}
          href={paths.scope(node.id)}
          draggable={!canMove}
          tabIndex={tabIndexAt(stop, 0)}
        >
          {name}
        </a>
      )}
      {mark && <Badge kind="info">{say(`marks.${mark}`)}</Badge>}
      {isOnTheWay && <span className={styles.note}>{say('tree.onTheWay')}</span>}
      {refusal !== undefined && <span className={styles.note}>{refusal}</span>}
    </th>
  )
}

const indent = 24

/** The users of the scope itself, and of all scopes below it. */
function UserCounts({ users, usersBelow }: TreeRowProps['node']) {
  const say = useTranslations('scopes.tree')
  const format = useFormatter()
  return (
    <>
      {format.number(users)}
      <span className={`${styles.note} ${styles.below}`}>
        {usersBelow > 0 && say('usersBelow', { count: usersBelow })}
      </span>
    </>
  )
}

function FactCells({ node, stop, menu, onRequest }: TreeRowProps) {
  const say = useTranslations('scopes')
  const format = useFormatter()
  const facts: [name: string, fact: ReactNode][] = [
    ['enterprises', node.automaticAddEnterprise ? say('tree.all') : format.number(node.enterprises)],
    ['datacenters', node.automaticAddDatacenter ? say('tree.all') : format.number(node.datacenters)],
    ['users', <UserCounts key="users" {...node} />],
  ]
  return (
    <>
      {facts.map(([name, fact], index) => (
        <td key={name} data-column={index + 1} tabIndex={tabIndexAt(stop, index + 1)} className={styles.fact}>
          {fact}
        </td>
      ))}
      {menu !== 'none' && (
        <td data-column={4}>
          {menu === 'open' && onRequest ? (
            <OpenMenu node={node} onRequest={onRequest} />
          ) : (
            <MenuButton name={node.name} tabIndex={tabIndexAt(stop, 4)} />
          )}
        </td>
      )}
    </>
  )
}

/** A placeholder for the menu until the user opens it. */
function MenuButton({ name, tabIndex }: { name: string; tabIndex: number }) {
  const say = useTranslations('scopes.menu')
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.dots}
      data-menu
      aria-haspopup="true"
      aria-expanded="false"
      aria-label={say('label', { name })}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 2.5v.01M8 8v.01M8 13.5v.01" />
      </svg>
    </button>
  )
}

/** The real menu. Only one is mounted at a time, because a thousand menus would make the tree slow. */
function OpenMenu({
  node,
  onRequest,
}: Pick<TreeRowProps, 'node'> & { onRequest: (request: ScopeRequest) => void }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const trigger = place.current?.querySelector('button')
    trigger?.focus()
    trigger?.click()
  }, [])
  return (
    <span ref={place}>
      <ScopeMenu scope={node} actions={['newChild', 'edit', 'move', 'map', 'delete']} onRequest={onRequest} />
    </span>
  )
}
