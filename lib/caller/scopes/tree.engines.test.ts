import { describe, expect, test } from 'vitest'
import {
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, scopePath } from '#lib/tools/testing/scopes'

const TREE = '/api/admin/scopes/action/tree'

type Node = {
  id: number
  name: string
  parent?: number
  children: number
  users: number
  usersBelow: number
  match: boolean
  links: { rel: string; title: string }[]
}

type Tree = { collection: Node[]; totalSize: number; links: { rel: string; href: string }[] }

/** The response of the tree, by default to the administrator. */
function tree(query: Record<string, string | number> = {}, as?: User): Promise<Tree> {
  const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return expectStatus(200, call('GET', `${TREE}?${words.join('&')}`, { ...(as && { as }) }))
}

const names = ({ collection }: Tree): string[] => collection.map(({ name }) => name)

const hrefOf = ({ links }: Tree, rel: string): string | undefined =>
  links.find((link) => link.rel === rel)?.href

/** top ─ (left ─ leaf, right), all with a word of their own in the name. */
async function family() {
  const word = unique('Family')
  const top = await newScope({ name: `${word} top` })
  const left = await newScope({ name: `${word} left`, parent: top.id })
  const right = await newScope({ name: `${word} right`, parent: top.id })
  const leaf = await newScope({ name: `${word} Leaf`, parent: left.id })
  return { word, top, left, right, leaf }
}

describe('the tree of scopes', () => {
  test('is narrowed by tags, with the ancestors of the scopes that have all of them', async () => {
    const { top, left, leaf, right } = await family()
    const tag = unique('Tag')
    const tagAs = async (id: number, tags: string[]) => {
      const body = { ...(await expectStatus(200, call('GET', scopePath(id)))), tags }
      await expectStatus(200, call('PUT', scopePath(id), { body }))
    }
    await tagAs(leaf.id, [tag, 'a "b", %'])
    await tagAs(right.id, [tag])
    const found = await tree({ tag: tag.toUpperCase() })
    expect(found.totalSize).toBe(2)
    expect(found.collection.map(({ id, match }) => [id, match])).toEqual(
      expect.arrayContaining([
        [top.id, false],
        [left.id, false],
        [leaf.id, true],
        [right.id, true],
      ]),
    )
    const both = await expectStatus(
      200,
      call('GET', `${TREE}?tag=${encodeURIComponent(tag)}&tag=${encodeURIComponent('a "b", %')}&limit=1`),
    )
    expect(both.totalSize).toBe(1)
    const pages = await expectStatus(200, call('GET', `${TREE}?tag=${encodeURIComponent(tag)}&limit=1`))
    expect(new URL(hrefOf(pages, 'next') ?? '').searchParams.getAll('tag')).toEqual([tag])
    const scope = await newScope({ enterprises: [(await newEnterprise()).id] })
    const other = await newUser({ scopeId: scope.id })
    expect(await tree({ tag }, other)).toMatchObject({ totalSize: 0, collection: [] })
  })

  test('begins with the roots', async () => {
    const { top, left } = await family()
    let page = await tree({ limit: 999 })
    const roots = [...page.collection]
    for (let next = hrefOf(page, 'next'); next; next = hrefOf(page, 'next')) {
      page = await expectStatus(200, call('GET', next))
      roots.push(...page.collection)
    }
    expect(roots).toHaveLength(page.totalSize)
    expect(roots.map(({ id }) => id)).toEqual(expect.arrayContaining([1, top.id]))
    expect(roots.map(({ id }) => id)).not.toContain(left.id)
    expect(roots.filter(({ parent, match }) => parent !== undefined || match)).toEqual([])
  })

  test('gives the children of a node by name, each with the number of its own', async () => {
    const { word, top, left, right, leaf } = await family()
    const children = await tree({ parent: top.id })
    expect(children).toMatchObject({
      totalSize: 2,
      collection: [
        { id: left.id, name: `${word} left`, parent: top.id, children: 1, match: false },
        { id: right.id, name: `${word} right`, parent: top.id, children: 0, match: false },
      ],
    })
    expect(await tree({ parent: left.id })).toMatchObject({
      collection: [{ id: leaf.id, parent: left.id, children: 0 }],
    })
    expect(await tree({ parent: leaf.id })).toMatchObject({ collection: [], totalSize: 0 })
  })

  test('shows the links, flags and content of a node', async () => {
    const [one, other, datacenter] = await Promise.all([
      newEnterprise('Named 1'),
      newEnterprise('Named 2'),
      newDatacenter(),
    ])
    const top = await newScope()
    const child = await newScope({
      parent: top.id,
      enterprises: [one.id, other.id],
      datacenters: [datacenter.id],
    })
    const person = await newUser({ scopeId: child.id })
    const { collection } = await tree({ parent: top.id })
    const linkTo = (rel: string, path: string, title: string) => ({
      rel,
      href: ORIGIN + path,
      type: `application/vnd.service.${rel}+json`,
      title,
    })
    const users = `/api/admin/enterprises/${person.enterpriseId}/users`
    expect(collection).toEqual([
      {
        links: [
          linkTo('scope', scopePath(child.id), child.name),
          linkTo('enterprise', `/api/admin/enterprises/${one.id}`, one.name),
          linkTo('enterprise', `/api/admin/enterprises/${other.id}`, other.name),
          linkTo('datacenter', `/api/admin/datacenters/${datacenter.id}`, datacenter.name),
          linkTo('user', `${users}/${person.id}`, person.nick),
        ],
        id: child.id,
        name: child.name,
        parent: top.id,
        automaticAddDatacenter: false,
        automaticAddEnterprise: false,
        children: 0,
        enterprises: 2,
        datacenters: 1,
        users: 1,
        usersBelow: 0,
        match: false,
      },
    ])
  })

  test('is in natural order: 2 precedes 10, and a renamed scope takes its new place', async () => {
    const top = await newScope()
    const word = unique('Team')
    for (const number of ['10', '2', '1', '02b', '100'])
      await newScope({ name: `${word} ${number}`, parent: top.id })
    const inOrder = ['1', '2', '02b', '10', '100'].map((number) => `${word} ${number}`)
    expect(names(await tree({ parent: top.id }))).toEqual(inOrder)
    expect(names(await tree({ parent: top.id, limit: 2, startwith: 2 }))).toEqual(inOrder.slice(2, 4))
    const hits = (await tree({ has: word })).collection.filter(({ match }) => match)
    expect(hits.map(({ name }) => name)).toEqual(inOrder)
    const [, second] = hits
    const path = scopePath(second?.id ?? 0)
    const document = await expectStatus(200, call('GET', path))
    await expectStatus(200, call('PUT', path, { body: { ...document, name: `${word} 11` } }))
    expect(names(await tree({ parent: top.id }))).toEqual(
      ['1', '02b', '10', '11', '100'].map((number) => `${word} ${number}`),
    )
  })

  test('gives one scope as a node, if the caller sees it', async () => {
    const { top, left } = await family()
    expect(await tree({ scope: left.id })).toMatchObject({
      totalSize: 1,
      collection: [{ id: left.id, parent: top.id, children: 1 }],
    })
    const limited = await newUser({ scopeId: left.id })
    expect(await tree({ scope: left.id }, limited)).toMatchObject({ collection: [{ id: left.id }] })
    const beside = call('GET', `${TREE}?scope=${top.id}`, { as: limited })
    expect(await refusal(beside)).toEqual([404, 'SCOPE-1'])
  })

  test('is paged, and its page links keep the parent', async () => {
    const { word, top } = await family()
    const first = await tree({ parent: top.id, limit: 1 })
    expect(names(first)).toEqual([`${word} left`])
    expect(first.totalSize).toBe(2)
    const second = await expectStatus(200, call('GET', hrefOf(first, 'next') ?? ''))
    expect(names(second)).toEqual([`${word} right`])
    expect(hrefOf(second, 'next')).toBeUndefined()
    expect(hrefOf(second, 'previous')).toContain(`?parent=${top.id}&startwith=0&limit=1`)
    expect(names(await tree({ parent: top.id, limit: 1, startwith: 50 }))).toEqual([`${word} right`])
  })

  test('is no unlimited page, and refuses unknown parameters', async () => {
    for (const query of ['limit=0', 'limit=1000', 'limit=all', 'startwith=-1', 'parent=0', 'parent=top']) {
      expect(await refusal(call('GET', `${TREE}?${query}`))).toEqual([400, 'GEN-22'])
    }
    expect(await refusal(call('GET', `${TREE}?parent=999999999`))).toEqual([404, 'SCOPE-1'])
  })

  test('is there in XML too', async () => {
    const { left, leaf } = await family()
    const headers = { accept: 'application/xml' }
    const xml = await expectStatus(200, call('GET', `${TREE}?parent=${left.id}`, { headers }))
    expect(xml).toContain(`<id>${leaf.id}</id><name>${leaf.name}</name><parent>${left.id}</parent>`)
    expect(xml).toMatch(/<scopetreenodes>.*<totalSize>1<\/totalSize><scopetreenode>.*<\/scopetreenodes>$/)
  })

  test('is granted as reading one scope is', async () => {
    await expectStatus(200, call('GET', TREE, { as: await newUser({ privileges: ['USERS_MANAGE_USERS'] }) }))
    await expectStatus(403, call('GET', TREE, { as: await newUser({ privileges: ['APPLIB_ALLOW_MODIFY'] }) }))
  })
})

describe('a search in the tree', () => {
  test('lists the hits, marked, with all their ancestors', async () => {
    const { word, top, left, leaf } = await family()
    const found = await tree({ has: `${word} LEAF` })
    expect(found.totalSize).toBe(1)
    expect(found.collection.map(({ id, parent, match }) => ({ id, parent, match }))).toEqual([
      { id: leaf.id, parent: left.id, match: true },
      { id: left.id, parent: top.id, match: false },
      { id: top.id, parent: undefined, match: false },
    ])
  })

  test('gives the first hits by name, and the number of all', async () => {
    const { word } = await family()
    const found = await tree({ has: word, limit: 2 })
    expect(found.totalSize).toBe(4)
    expect(found.collection.filter(({ match }) => match).map(({ name }) => name)).toEqual([
      `${word} Leaf`,
      `${word} left`,
    ])
    expect(names(found)).toContain(`${word} top`)
    const rest = await expectStatus(200, call('GET', hrefOf(found, 'next') ?? ''))
    expect(rest.collection.filter(({ match }: Node) => match).map(({ name }: Node) => name)).toEqual([
      `${word} right`,
      `${word} top`,
    ])
  })

  test('takes every character literally', async () => {
    const { word } = await family()
    for (const wild of ['%', '_', '\\'])
      expect(names(await tree({ has: word.replace(' ', wild) }))).toEqual([])
    const literal = await newScope({ name: `${word} 100%_\\` })
    expect(names(await tree({ has: `${word} 100%_\\` }))).toEqual([literal.name])
  })
})

describe('to a limited caller the tree', () => {
  test('begins with the own scope, which has no parent', async () => {
    const { left, leaf } = await family()
    const user = await newUser({ scopeId: left.id })
    const { collection, totalSize } = await tree({}, user)
    expect(totalSize).toBe(1)
    expect(collection).toEqual([expect.objectContaining({ id: left.id, children: 1 })])
    expect(collection[0]).not.toHaveProperty('parent')
    expect(await tree({ parent: left.id }, user)).toMatchObject({
      collection: [{ id: leaf.id, parent: left.id }],
    })
  })

  test('hides ancestors and siblings: from the nodes and from the search', async () => {
    const { word, top, left, right } = await family()
    const user = await newUser({ scopeId: left.id })
    for (const { id } of [top, right]) {
      expect(await refusal(call('GET', `${TREE}?parent=${id}`, { as: user }))).toEqual([404, 'SCOPE-1'])
    }
    const found = await tree({ has: word }, user)
    expect(found.totalSize).toBe(2)
    expect(names(found)).toEqual([`${word} Leaf`, `${word} left`])
  })

  test('counts only visible resources', async () => {
    const [seen, hidden, here, away] = await Promise.all([
      newEnterprise(),
      newEnterprise(),
      newDatacenter(),
      newDatacenter(),
    ])
    const own = await newScope({ enterprises: [seen.id], datacenters: [here.id] })
    const enterprises = [seen.id, hidden.id]
    const child = await newScope({ parent: own.id, enterprises, datacenters: [here.id, away.id] })
    await newUser({ scopeId: child.id, enterpriseId: seen.id })
    await newUser({ scopeId: child.id, enterpriseId: hidden.id })
    const user = await newUser({ scopeId: own.id })
    const ofChild = { id: child.id, enterprises: 1, datacenters: 1, users: 1 }
    expect(await tree({ parent: own.id }, user)).toMatchObject({ collection: [ofChild] })
    const all = { ...ofChild, enterprises: 2, datacenters: 2, users: 2 }
    expect(await tree({ parent: own.id })).toMatchObject({ collection: [all] })
  })

  test('names at most three of what the caller may read', async () => {
    const made = [4, 3, 2, 1].map((number) => newEnterprise(`Three of four ${number}`))
    const [hidden, ...seen] = await Promise.all(made)
    const own = await newScope({ enterprises: seen.map(({ id }) => id) })
    const child = await newScope({
      parent: own.id,
      enterprises: [...seen, ...(hidden ? [hidden] : [])].map(({ id }) => id),
    })
    await newUser({ scopeId: child.id, enterpriseId: seen[0]?.id ?? 0 })
    const titles = async (as?: User) =>
      (await tree({ parent: own.id }, as)).collection.flatMap(({ links }) =>
        links.filter(({ rel }) => rel !== 'scope').map(({ rel, title }) => [rel, title].join(' ')),
      )
    const first = [1, 2, 3].map((number) => `enterprise Three of four ${number}`)
    expect(await titles()).toEqual([...first, expect.stringMatching(/^user /)])
    const limited = await newUser({ scopeId: own.id })
    expect(await titles(limited)).toEqual([...first, expect.stringMatching(/^user /)])
    const privileges = ['USERS_MANAGE_SCOPES'] as const
    expect(await titles(await newUser({ scopeId: own.id, privileges }))).toEqual([])
  })

  test('counts the visible users below a scope apart from its own', async () => {
    const { word, top, left, right, leaf } = await family()
    const [seen, hidden] = await Promise.all([newEnterprise(), newEnterprise()])
    const above = await newScope({ parent: top.id, name: `${word} above`, enterprises: [seen.id] })
    const below = await newScope({ parent: above.id, name: `${word} below`, enterprises: [seen.id] })
    const places = [top, left, leaf, leaf, right, below]
    for (const { id } of places) await newUser({ scopeId: id, enterpriseId: seen.id })
    await newUser({ scopeId: below.id, enterpriseId: hidden.id })
    const counts = async (of: number, as?: User) =>
      (await tree({ parent: of }, as)).collection.map(({ users, usersBelow }) => [users, usersBelow])
    // above, left, right
    expect(await counts(top.id)).toEqual([
      [0, 2],
      [1, 2],
      [1, 0],
    ])
    const caller = await newUser({ scopeId: above.id })
    expect(await tree({}, caller)).toMatchObject({ collection: [{ id: above.id, users: 1, usersBelow: 1 }] })
  })

  test('has every visible root where the own scope is unlimited in one dimension', async () => {
    const own = await newScope({ automaticAddDatacenter: true })
    const alike = await newScope({ automaticAddDatacenter: true })
    const other = await newScope({ automaticAddEnterprise: true })
    const user = await newUser({ scopeId: own.id })
    const seen = (await tree({ limit: 999 }, user)).collection.map(({ id }) => id)
    expect(seen).toEqual(expect.arrayContaining([own.id, alike.id]))
    expect(seen).not.toContain(other.id)
    expect(seen).not.toContain(1)
  })
})
