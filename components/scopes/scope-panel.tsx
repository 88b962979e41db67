import { useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { idIn } from '#components/base/forms/ids'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { LinkButton } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
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

/** What the tree knows of a scope: what it opens, and who uses it. */
export function ScopePanel({ node, onClose }: { node: ScopeTreeNode; onClose: () => void }) {
  const say = useTranslations('scopes')
  const sayTable = useTranslations('layout.table')
  const close = useTranslations('common')('close')
  const format = useFormatter()
  const { id, name, enterprises, datacenters, users, usersBelow, children } = node
  const mark = unlimitedMark(node)
  const namesOf = (rel: string, count: number) => {
    const named = node.links.filter((link) => link.rel === rel).map(({ title }) => title ?? '')
    const more = count - named.length
    return [
      ...named,
      ...(more > 0 || count === 0 ? [(named.length > 0 ? '+' : '') + format.number(more)] : []),
    ].join(', ')
  }
  return (
    <Panel
      title={name}
      label={name}
      closeLabel={close}
      onClose={onClose}
      actions={<LinkButton href={paths.scope(id)}>{sayTable('openPage')}</LinkButton>}
    >
      <Facts
        items={[
          ...(mark ? [{ label: say('form.unlimited'), value: say(`marks.${mark}`) }] : []),
          {
            label: say('tree.enterprises'),
            value: node.automaticAddEnterprise ? say('tree.all') : namesOf('enterprise', enterprises),
          },
          {
            label: say('tree.datacenters'),
            value: node.automaticAddDatacenter ? say('tree.all') : namesOf('datacenter', datacenters),
          },
          {
            label: say('tree.users'),
            value: `${namesOf('user', users)}${usersBelow > 0 ? ` ${say('tree.usersBelow', { count: usersBelow })}` : ''}`,
          },
          { label: say('below.title'), value: format.number(children) },
        ]}
      />
    </Panel>
  )
}
