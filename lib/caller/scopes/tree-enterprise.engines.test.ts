import { describe, expect, test } from 'vitest'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const TREE = '/api/admin/scopes/action/tree'

type Node = { id: number; name: string; parent?: number; match: boolean }
type Tree = { collection: Node[]; totalSize: number; links: { rel: string; href: string }[] }

const tree = (query: string, as?: User): Promise<Tree> =>
  expectStatus(200, call('GET', `${TREE}?${query}`, { ...(as && { as }) }))

const summary = ({ collection }: Tree) =>
  collection.map(({ id, parent, match }) => ({ id, parent, match })).sort((one, other) => one.id - other.id)

/** top ─ (left ─ leaf, right): the enterprise belongs to leaf and right, another one to left. */
async function family() {
  const word = unique('Family')
  const [enterprise, other] = [await newEnterprise(), await newEnterprise()]
  const top = await newScope({ name: `${word} top` })
  const left = await newScope({ name: `${word} left`, parent: top.id, enterprises: [other.id] })
  const right = await newScope({ name: `${word} right`, parent: top.id, enterprises: [enterprise.id] })
  const leaf = await newScope({ name: `${word} leaf`, parent: left.id, enterprises: [enterprise.id] })
  return { word, enterprise, top, left, right, leaf }
}

describe('the scopes of an enterprise in the tree', () => {
  test('are those that contain it, marked, with all that is above them', async () => {
    const { word, enterprise, top, left, right, leaf } = await family()
    const found = await tree(`enterprise=${enterprise.id}&has=${encodeURIComponent(word)}`)
    expect(found.totalSize).toBe(2)
    expect(summary(found)).toEqual([
      { id: top.id, parent: undefined, match: false },
      { id: left.id, parent: top.id, match: false },
      { id: right.id, parent: top.id, match: true },
      { id: leaf.id, parent: left.id, match: true },
    ])
  })

  test('need no text; those that are unlimited in enterprises are among them', async () => {
    const { enterprise, left, right, leaf } = await family()
    const unlimited = await newScope({ automaticAddEnterprise: true })
    const matches: number[] = []
    for (let next: string | undefined = `${TREE}?enterprise=${enterprise.id}&limit=999`; next; ) {
      const page: Tree = await expectStatus(200, call('GET', next))
      matches.push(...page.collection.filter(({ match }) => match).map(({ id }) => id))
      next = page.links.find(({ rel }) => rel === 'next')?.href
    }
    expect(matches).toEqual(expect.arrayContaining([1, unlimited.id, right.id, leaf.id]))
    expect(matches).not.toContain(left.id)
  })

  test('are narrowed by a text too, paged by name, and the page links keep the enterprise', async () => {
    const { word, enterprise, right, leaf } = await family()
    const query = `enterprise=${enterprise.id}&has=${encodeURIComponent(`${word} R`)}`
    expect((await tree(query)).collection.filter(({ match }) => match)).toMatchObject([{ id: right.id }])
    const first = await tree(`enterprise=${enterprise.id}&has=${encodeURIComponent(word)}&limit=1`)
    expect(first.collection.filter(({ match }) => match)).toMatchObject([{ id: leaf.id }])
    const next = first.links.find(({ rel }) => rel === 'next')?.href ?? ''
    expect(next).toContain(`?enterprise=${enterprise.id}&startwith=1&limit=1&has=`)
    const second: Tree = await expectStatus(200, call('GET', next))
    expect(second.collection.filter(({ match }) => match)).toMatchObject([{ id: right.id }])
  })

  test('are there in XML too', async () => {
    const { word, enterprise, leaf } = await family()
    const headers = { accept: 'application/xml' }
    const query = `enterprise=${enterprise.id}&has=${encodeURIComponent(`${word} leaf`)}`
    const xml = await expectStatus(200, call('GET', `${TREE}?${query}`, { headers }))
    expect(xml).toMatch(new RegExp(`<totalSize>1</totalSize>.*<id>${leaf.id}</id>.*<match>true</match>`))
  })

  test('are the visible ones for a limited caller', async () => {
    const { enterprise, left, leaf } = await family()
    const as = await newUser({ scopeId: left.id, enterpriseId: enterprise.id })
    const found = await tree(`enterprise=${enterprise.id}`, as)
    expect(found.totalSize).toBe(1)
    expect(summary(found)).toEqual([
      { id: left.id, parent: undefined, match: false },
      { id: leaf.id, parent: left.id, match: true },
    ])
  })

  test('EN-0, GEN-22: refuse a hidden enterprise and a malformed id', async () => {
    const { enterprise, left } = await family()
    const as = await newUser({ scopeId: left.id })
    for (const id of [enterprise.id, 999999999])
      expect(await refusal(call('GET', `${TREE}?enterprise=${id}`, { as }))).toEqual([404, 'EN-0'])
    for (const id of ['0', 'x', ''])
      expect(await refusal(call('GET', `${TREE}?enterprise=${id}`))).toEqual([400, 'GEN-22'])
  })
})
