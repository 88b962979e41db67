import { useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { idIn } from '#components/base/forms/ids'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { bothFacts } from '#components/frame/layout/facts'
import { LinkButton } from '#components/kit/button'
import { type Fact, Facts } from '#components/kit/facts'
import { Panel } from '#components/kit/frame'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { unlimitedMark } from './scope-rules'

/** The scope that is open beside the tree, in the URL as in the lists. */
export function useOpenScope(nodeOf: (id: number) => ScopeTreeNode | undefined) {
  const change = useSearchChange()
  const id = idIn(useSearchParams()[0], 'row')
  return {
    node: id === undefined ? undefined : nodeOf(id),
    show: (node: ScopeTreeNode) => change({ row: String(node.id) }, { replace: id !== undefined }),
    close: () => change({ row: undefined }),
  }
}

type ScopePanelProps = {
  node: ScopeTreeNode
  /** The scope as it is now, if it is compared. */
  now: ScopeTreeNode | undefined
  onClose: () => void
}

/** What the tree knows of a scope: what it opens, and who uses it. */
export function ScopePanel({ node, now, onClose }: ScopePanelProps) {
  const sayTable = useTranslations('layout.table')
  const close = useTranslations('common')('close')
  const factsOf = useFacts()
  const { id, name } = node
  return (
    <Panel
      title={name}
      label={name}
      closeLabel={close}
      onClose={onClose}
      actions={<LinkButton href={paths.scope(id)}>{sayTable('openPage')}</LinkButton>}
    >
      <Facts items={bothFacts(factsOf(node), now && factsOf(now))} />
    </Panel>
  )
}

function useFacts() {
  const say = useTranslations('scopes')
  const none = useTranslations('common')('none')
  const format = useFormatter()
  const namesOf = ({ links }: ScopeTreeNode, rel: string, count: number) => {
    const named = links.filter((link) => link.rel === rel).map(({ title }) => title ?? '')
    const more = count - named.length
    return [
      ...named,
      ...(more > 0 || count === 0 ? [(named.length > 0 ? '+' : '') + format.number(more)] : []),
    ].join(', ')
  }
  return (node: ScopeTreeNode): Fact[] => {
    const mark = unlimitedMark(node)
    const below = node.usersBelow > 0 ? ` ${say('tree.usersBelow', { count: node.usersBelow })}` : ''
    return [
      { label: say('form.unlimited'), value: mark ? say(`marks.${mark}`) : none },
      {
        label: say('tree.enterprises'),
        value: node.automaticAddEnterprise
          ? say('tree.allEnterprises')
          : namesOf(node, 'enterprise', node.enterprises),
      },
      {
        label: say('tree.datacenters'),
        value: node.automaticAddDatacenter
          ? say('tree.allDatacenters')
          : namesOf(node, 'datacenter', node.datacenters),
      },
      { label: say('tree.users'), value: `${namesOf(node, 'user', node.users)}${below}` },
      { label: say('below.title'), value: format.number(node.children) },
    ]
  }
}
