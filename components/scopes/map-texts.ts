import { useTranslations } from 'use-intl'
import { type NodeTexts, shortened } from './map-drawing'
import type { Placed } from './map-layout'
import type { MapRest } from './map-plan'
import { unlimitedMark } from './scope-rules'

/** The texts of a node of the map: the figures of the tree, in words. */
export function useMapTexts(): (placed: Placed) => NodeTexts {
  const say = useTranslations('scopes')
  const label = useTranslations('labels')

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
    const enterprises = node.automaticAddEnterprise
      ? say('map.allEnterprises')
      : say('map.enterprises', { count: node.enterprises })
    const datacenters = node.automaticAddDatacenter
      ? say('map.allDatacenters')
      : say('map.datacenters', { count: node.datacenters })
    const lines = [
      `${enterprises} · ${datacenters}`,
      [label('userCount', { count: node.users }), usersBelow(node.usersBelow)].filter(Boolean).join(' '),
    ]
    return {
      name: node.name,
      lines,
      mark,
      // Starts with the visible text, so that speech input can address the link by it (WCAG 2.5.3).
      label: [
        shortened(node.name),
        ...lines,
        mark && `∞ ${mark}`,
        parent && say('map.below', { parent }),
        shortened(node.name) !== node.name && node.name,
      ]
        .filter(Boolean)
        .join(' '),
    }
  }

  function usersBelow(count: number): string {
    return count > 0 ? say('tree.usersBelow', { count }) : ''
  }
}
