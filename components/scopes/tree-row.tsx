import { type CSSProperties, memo, type ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { paths } from '#components/base/screens/paths'
import { MarkedText } from '#components/base/screens/text-match'
import { Both } from '#components/frame/as-of/present'
import { useAddress } from '#components/kit/address'
import { screenIcons } from '#components/kit/screen-icons'
import { Badge } from '#components/kit/status'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { unlimitedMark } from './scope-rules'
import type { ScopeSince } from './scopes-since'
import styles from './tree-grid.module.css'
import type { NodeLine } from './tree-lines'

type TreeRowProps = Omit<NodeLine, 'key'> & {
  line: string
  /** The column of the tab stop, if the tab stop is in this row. */
  stop: number | undefined
  has: string
  isCarried: boolean
  /** It is open beside the tree. */
  isOpen: boolean
  canMove: boolean
  /** Shown only because a hit stands below. */
  isOnTheWay: boolean
  /** In a picker: whether this scope is chosen, and why it cannot be. */
  isChosen: boolean | undefined
  refusal: string | undefined
  menu: 'none' | 'closed' | 'open'
  /** Compared with now: what has happened to the scope, and in words. */
  since: ScopeSince | undefined
  sinceText: string | undefined
}

/** One scope in the tree. Memoized: of a thousand rows only those that changed render again. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { line, node, level, position, siblings, open, isOpen, isChosen, refusal } = props
  return (
    <tr
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={open}
      // A row that cannot be chosen still opens, so it is not disabled: it has no selection, and its name includes the reason.
      aria-selected={refusal === undefined ? isChosen : undefined}
      aria-current={isOpen || undefined}
      data-refused={refusal !== undefined || undefined}
      className={styles.row}
      style={aboveOf(level)}
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
  const { node, open, stop, has, isCarried, canMove, isOnTheWay, isChosen, refusal, since, sinceText } = props
  const addressOf = useAddress()
  const say = useTranslations('scopes')
  const mark = unlimitedMark(node)
  const isPicking = isChosen !== undefined
  // There was no screen of a scope that came later.
  const isNew = since?.kind === 'added' || since?.kind === 'movedHere'
  const shown = <MarkedText text={node.name} search={has} className={styles.match} />
  const name = since?.now ? <Both then={shown} now={since.now.name} /> : shown
  return (
    <th
      scope="row"
      data-column={0}
      className={styles.name}
      tabIndex={isPicking || since?.kind === 'added' ? tabIndexAt(stop, 0) : undefined}
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
      {isPicking || since?.kind === 'added' ? (
        <span className={refusal === undefined ? undefined : styles.quiet}>{name}</span>
      ) : (
        <a
          className={isCarried ? `${styles.link} ${styles.carried}` : styles.link}
          href={addressOf(paths.scope(node.id))}
          draggable={!canMove}
          tabIndex={tabIndexAt(stop, 0)}
        >
          {name}
        </a>
      )}
      {sinceText && (
        <Badge kind={since?.kind === 'removed' ? 'bad' : isNew ? 'good' : 'warn'}>{sinceText}</Badge>
      )}
      {mark && <Badge kind="info">{say(`marks.${mark}`)}</Badge>}
      {isOnTheWay && <span className={styles.note}>{say('tree.onTheWay')}</span>}
      {refusal !== undefined && <span className={styles.note}>{refusal}</span>}
    </th>
  )
}

/** The number of scopes above, for the lines that lead to a row. */
export const aboveOf = (level: number): CSSProperties => ({ '--above': level - 1 }) as CSSProperties

type ChipsProps = { node: TreeRowProps['node']; rel: 'enterprise' | 'datacenter' | 'user'; count: number }

/** The first names in the scope, and how many more there are. The names are missing where the user may not read them. */
function Chips({ node, rel, count }: ChipsProps) {
  const format = useFormatter()
  const named = node.links.filter((link) => link.rel === rel)
  const more = count - named.length
  return (
    <>
      {named.map(({ href, title }) => (
        <span key={href} className={styles.chip}>
          {title}{' '}
        </span>
      ))}
      {(more > 0 || named.length === 0) && (
        <span className={count === 0 ? styles.note : undefined}>
          {named.length > 0 && '+'}
          {format.number(more)}
        </span>
      )}
    </>
  )
}

/** The facts of a scope, by the names of their columns. */
function useFacts(): (
  node: ScopeTreeNode,
) => [name: 'enterprises' | 'datacenters' | 'users', fact: ReactNode][] {
  const say = useTranslations('scopes')
  return (node) => {
    const { automaticAddEnterprise, automaticAddDatacenter, users, usersBelow } = node
    const enterprises = <Chips node={node} rel="enterprise" count={node.enterprises} />
    const datacenters = <Chips node={node} rel="datacenter" count={node.datacenters} />
    return [
      ['enterprises', automaticAddEnterprise ? say('tree.allEnterprises') : enterprises],
      ['datacenters', automaticAddDatacenter ? say('tree.allDatacenters') : datacenters],
      [
        'users',
        <>
          <Chips node={node} rel="user" count={users} />
          {usersBelow > 0 && (
            <span className={styles.note}> {say('tree.usersBelow', { count: usersBelow })}</span>
          )}
        </>,
      ],
    ]
  }
}

function FactCells({ node, stop, menu, since }: TreeRowProps) {
  const say = useTranslations('scopes')
  const factsOf = useFacts()
  const now = since?.now && factsOf(since.now)
  return (
    <>
      {factsOf(node).map(([name, fact], index) => (
        <td
          key={name}
          data-column={index + 1}
          data-label={say(`tree.${name}`)}
          tabIndex={tabIndexAt(stop, index + 1)}
          className={styles.fact}
        >
          {now ? <Both then={fact} now={now[index]?.[1]} /> : fact}
        </td>
      ))}
      {menu !== 'none' && (
        <td data-column={4}>
          <MenuButton name={node.name} isOpen={menu === 'open'} tabIndex={tabIndexAt(stop, 4)} />
        </td>
      )}
    </>
  )
}

type MenuButtonProps = { name: string; isOpen: boolean; tabIndex: number }

/** The tree opens its menu. */
function MenuButton({ name, isOpen, tabIndex }: MenuButtonProps) {
  const say = useTranslations('scopes.menu')
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.dots}
      data-menu
      aria-haspopup="menu"
      aria-expanded={isOpen}
      aria-label={say('label', { name })}
    >
      {screenIcons.more}
    </button>
  )
}
