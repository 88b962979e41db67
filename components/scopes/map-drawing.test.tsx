import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MapDrawing } from './map-drawing'
import { layMap } from './map-layout'
import type { MapNode } from './map-plan'

const links: [] = []
const counts = { children: 0, enterprises: 3, datacenters: 0, users: 2, usersBelow: 0, match: false }
const limited = { automaticAddDatacenter: false, automaticAddEnterprise: false }
const scope: MapNode = {
  kind: 'scope',
  node: { links, id: 7, name: '<script>alert(1)</script>', ...limited, ...counts },
  below: [{ kind: 'rest', parent: 7, name: 'A', count: 245 }],
}

const drawn = renderToStaticMarkup(
  <MapDrawing
    layout={layMap([scope])}
    heading={['Map of scopes', 'Cloud console']}
    label="Map"
    textsOf={({ item }) =>
      item.kind === 'scope'
        ? { name: item.node.name, lines: ['3 enterprises'], mark: 'Unlimited', label: item.node.name }
        : { name: `+ ${item.count} more`, lines: [], label: 'more' }
    }
    hrefOf={(id) => `https://cloud.example/scopes/${id}`}
  />,
)

test('a drawing for a file is self-contained: colours and fonts inside, no classes, no buttons', () => {
  expect(drawn).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox=/)
  expect(drawn).toContain('sans-serif')
  expect(drawn).toContain('href="https://cloud.example/scopes/7"')
  expect(drawn).toContain('+ 245 more')
  expect(drawn).toContain('∞ Unlimited')
  expect(drawn).not.toMatch(/class=|var\(|href="(?!https)/)
})

test('a name that looks like markup stays text', () => {
  expect(drawn).not.toContain('<script')
  expect(drawn).toContain('&lt;script&gt;alert(1)&lt;/script')
})
