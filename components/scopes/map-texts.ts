import { useTranslations } from 'use-intl'
import type { ScopeTreeNode } from '#lib/caller/scopes/scopes.schema'
import { type NodeTexts, shortened } from './map-drawing'
import type { Placed } from './map-layout'
import type { MapRest } from './map-plan'
import { unlimitedMark } from './scope-rules'
import { type ScopesSince, useSinceWords } from './use-scopes-since'

/** The texts of a node of the map: the figures of the tree, in words. */
export function useMapTexts(since: ScopesSince): (placed: Placed) => NodeTexts {
  const say = useTranslations('scopes')
  const sinceOf = useSinceText(since)
  const linesOf = useLines()

  const ofRest = ({ count, name }: MapRest): NodeTexts => ({
    name: say('map.more', { count }),
    lines: [],
    label: name === undefined ? say('map.moreRoots', { count }) : say('map.moreBelow', { count, name }),
  })
  return ({ item, parent }) => {
    if (item.kind === 'rest') return ofRest(item)
    const { node } = item
    const unlimited = unlimitedMark(node)
    const mark = unlimited && say(`marks.${unlimited}`)
    const lines = linesOf(node)
    const changed = sinceOf(node)
    return {
      name: node.name,
      lines,
      mark,
      since: changed,
      isNew: since.of(node.id)?.kind === 'added',
      // Starts with the visible text, so that speech input can address the link by it (WCAG 2.5.3).
      label: [
        shortened(node.name),
        ...lines,
        mark && `∞ ${mark}`,
        parent && say('map.below', { parent }),
        shortened(node.name) !== node.name && node.name,
        changed,
      ]
        .filter(Boolean)
        .join(' '),
    }
  }
}

/** What a scope holds. */
function useLines(): (node: ScopeTreeNode) => string[] {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')
  return (node) => {
    const enterprises = node.automaticAddEnterprise
      ? say('map.allEnterprises')
      : say('map.enterprises', { count: node.enterprises })
    const datacenters = node.automaticAddDatacenter
      ? say('map.allDatacenters')
      : say('map.datacenters', { count: node.datacenters })
    const below = node.usersBelow > 0 ? say('tree.usersBelow', { count: node.usersBelow }) : ''
    return [
      `${enterprises} · ${datacenters}`,
      [label('userCount', { count: node.users }), below].filter(Boolean).join(' '),
    ]
  }
}

/** Compared with now: what has happened to the scope, and what it holds now. */
function useSinceText(since: ScopesSince): (node: ScopeTreeNode) => string | undefined {
  const say = useTranslations('layout.asOf.since')
  const wordsOf = useSinceWords()
  const linesOf = useLines()
  return (node) => {
    const now = since.of(node.id)?.now
    const then = linesOf(node)
    const values = now
      ? [
          ...(now.name === node.name ? [] : [now.name]),
          ...linesOf(now).filter((line) => !then.includes(line)),
        ]
      : []
    const parts = [wordsOf(since, node.id), values.length > 0 && say('nowIs', { value: values.join(' · ') })]
    return parts.filter(Boolean).join('. ') || undefined
  }
}
