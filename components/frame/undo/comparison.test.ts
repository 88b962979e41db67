import { expect, test } from 'vitest'
import { comparison, differences } from './comparison'

const link = (rel: string, title?: string) => ({ rel, href: `/api/x/${title}`, ...(title && { title }) })

test('fields and named links are compared, the link to the document itself is not', () => {
  const before = { links: [link('edit', 'One'), link('scopeParent', 'Above')], id: 7, name: 'One' }
  const after = { links: [link('edit', 'Two'), link('scopeParent', 'Above')], id: 7, name: 'Two', more: true }
  expect(comparison(before, after)).toEqual([
    { name: 'id', before: '7', after: '7', differs: false },
    { name: 'name', before: 'One', after: 'Two', differs: true },
    { name: 'scopeParent', before: 'Above', after: 'Above', differs: false },
    { name: 'more', after: 'true', differs: true },
  ])
})

test('a list has a line for each member, without its links', () => {
  const entities = [{ id: 3, links: [link('scope', 'One')], idResource: 2, type: 'ENTERPRISE' }]
  expect(comparison(undefined, { scopeEntities: entities, allowedCIDRs: ['192.0.2.0/24', '::/0'] })).toEqual([
    { name: 'scopeEntities', after: 'idResource: 2, type: ENTERPRISE', differs: true },
    { name: 'allowedCIDRs', after: '192.0.2.0/24\n::/0', differs: true },
  ])
})

test('a past document differs from the present one only in what has a past', () => {
  const links = [{ rel: 'device', href: '/api/x/1', title: 'Gateway' }]
  const then = { name: 'one', ips: 3, links }
  expect(differences(then, { ...then, deviceState: 'insync', packets: 7 })).toEqual({})
  expect(
    differences(then, { ...then, ips: 4, links: [{ rel: 'device', href: '/api/x/2', title: 'Other' }] }),
  ).toEqual({ ips: { before: '3', after: '4' }, device: { before: 'Gateway', after: 'Other' } })
})
