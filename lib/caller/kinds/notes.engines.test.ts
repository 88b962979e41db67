import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { csvOf, readCsv } from '#lib/tools/testing/csv'
import { passMillisecond } from '#lib/tools/testing/histories'
import { create, ownPath, resources } from '#lib/tools/testing/resources'

/* docs/api/conventions.md, "Notes and tags". */

const others = ['privateip', 'natsetaside']
const all = (await resources()).filter(({ name }) => !others.includes(name))

/** Their descriptions are older, and keep their rules. */
const older = ['user', 'device']

const put = (path: string, body: object | string, headers: Record<string, string> = {}) =>
  call('PUT', path, { body, headers })

/** `all`: also NAT IPs that are not available. */
const tagged = (list: string, ...tags: string[]) =>
  `${list}?all=true&${tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&')}`

const idsOf = async (path: string): Promise<number[]> =>
  (await expectStatus(200, call('GET', path))).collection.map(({ id }: { id: number }) => id)

const hostile = [
  "=cmd|' /C calc'!A0",
  '<img onerror=alert(1)>',
  '$(rm -rf)',
  '../..',
  '\u202eevil',
  'a\\|b\\',
  '"quoted", and: more',
  '100%_',
  'zero\u200bwidth 👩🏽‍💻 \u2067עברית',
]

describe.each(all)('$name', ({ name, list, body }) => {
  const note = older.includes(name) ? {} : { description: 'first line\nsecond <line>' }

  test('has notes that a PUT without them leaves, and empty ones clear', async () => {
    const label = unique('Tag')
    const tags = [`  ${label} `, 'Ñandú', ...hostile]
    const made = await create(list, { ...(await body()), ...note, tags })
    const path = ownPath(made)
    const kept = [label, ...tags.slice(1)]
    expect(made).toMatchObject({ ...note, tags: kept })
    expect(await idsOf(tagged(list, label.toUpperCase()))).toEqual([made.id])
    expect(await idsOf(tagged(list, label, 'ñANDÚ', ...hostile))).toEqual([made.id])
    expect(await idsOf(tagged(list, label, unique('none')))).toEqual([])
    const {
      description,
      tags: _tags,
      ...old
    } = made as typeof made & { description?: string; tags: string[] }
    const without = older.includes(name) ? { ...old, description } : old
    expect(await expectStatus(200, put(path, without))).toMatchObject({ ...note, tags: kept })
    expect(await expectStatus(200, put(path, { ...without, tags: null }))).toMatchObject({ tags: kept })
    const moment = passMillisecond()
    const cleared = { description: '', tags: [] }
    expect(await expectStatus(200, put(path, { ...old, ...cleared }))).toMatchObject(cleared)
    expect(await idsOf(tagged(list, label))).toEqual([])
    expect(await expectStatus(200, call('GET', `${path}?asof=${moment}`))).toMatchObject({ tags: kept })
    expect(await idsOf(`${tagged(list, label)}&asof=${moment}`)).toEqual([made.id])
  })

  test('has tags in XML: an empty element clears, a missing one leaves them', async () => {
    const made = await create(list, { ...(await body()), tags: ['one', 'two'] })
    const path = ownPath(made)
    const xml = { accept: 'application/xml' }
    const shown = await expectStatus(200, call('GET', path, { headers: xml }))
    expect(shown).toContain('<tags>one</tags><tags>two</tags>')
    const sent = { 'content-type': 'application/xml' }
    const without = shown.replace('<tags>one</tags><tags>two</tags>', '')
    expect(await expectStatus(200, put(path, without, sent))).toMatchObject({ tags: ['one', 'two'] })
    const empty = shown.replace('<tags>one</tags><tags>two</tags>', '<tags/>')
    expect(await expectStatus(200, put(path, empty, sent))).toMatchObject({ tags: [] })
  })

  test('refuses faulty notes', async () => {
    const whole = await body()
    const codes = (fields: object) => codesOf(call('POST', list, { body: { ...whole, ...fields } }))
    const many = Array.from({ length: 21 }, (_, index) => `tag ${index}`)
    expect(await codes({ tags: many })).toEqual(['CONSTR-LENGTH'])
    expect(await codes({ tags: ['  '] })).toEqual(['CONSTR-LENGTH'])
    expect(await codes({ tags: ['ñ'.repeat(65)] })).toEqual(['CONSTR-LENGTH'])
    expect(await codes({ tags: ['a\nb'] })).toEqual(['CONSTR-PATTERN'])
    expect(await codes({ tags: ['Ñandú', ' ñANDÚ'] })).toEqual(['CONSTR-PATTERN'])
    if (older.includes(name)) return
    expect(await codes({ description: 'x'.repeat(1001) })).toEqual(['CONSTR-LENGTH'])
    expect(await codes({ description: 'a\tb' })).toEqual(['CONSTR-PATTERN'])
    const longest = {
      description: '𝒳'.repeat(1000),
      tags: many.slice(0, 20).map((tag) => tag.padEnd(64, 'x')),
    }
    await expectStatus(201, call('POST', list, { body: { ...whole, ...longest } }))
  })
})

test('a change of notes is undone, and a deleted resource comes back with its tags', async () => {
  const tag = unique('tag')
  const { id } = await newEnterprise()
  const path = `/api/admin/enterprises/${id}`
  await expectStatus(200, put(path, { ...(await read(path)), tags: [tag] }))
  await expectStatus(200, put(path, { ...(await read(path)), tags: ['other'], description: 'new' }))
  await undoLast('enterprise')
  expect(await read(path)).toMatchObject({ tags: [tag], description: '' })
  await expectStatus(204, call('DELETE', path))
  expect(await idsOf(tagged('/api/admin/enterprises', tag))).toEqual([])
  await undoLast('enterprise')
  expect(await idsOf(tagged('/api/admin/enterprises', tag))).toEqual([id])
})

const read = (path: string) => expectStatus(200, call('GET', path))

async function undoLast(entity: string) {
  const { collection } = await read(`/api/events?entity=${entity}&by=id&limit=1&asc=false`)
  await expectStatus(200, call('POST', `/api/events/${collection[0].id}/action/undo`))
}

test('the links to pages repeat the tags', async () => {
  const tag = unique('tag')
  for (const _ of [1, 2])
    await create('/api/admin/roles', { name: unique('Role'), links: [], tags: [tag, '='] })
  const { links, totalSize } = await read(`${tagged('/api/admin/roles', tag, '=')}&limit=1`)
  expect(totalSize).toBe(2)
  const next = links.find(({ rel }: { rel: string }) => rel === 'next').href
  expect(new URL(next).searchParams.getAll('tag')).toEqual([tag, '='])
  expect((await read(next)).collection).toHaveLength(1)
})

test('a table has the tags as text, and a plan takes them back', async () => {
  const name = unique('Role')
  const description = '=1+1\nsecond'
  await create('/api/admin/roles', { name, links: [], description, tags: hostile })
  const path = `/api/admin/roles?has=${encodeURIComponent(name)}`
  const { rows } = await readCsv(path)
  expect(rows[0]?.description).toBe(`'${description}`)
  expect(rows[0]?.tags).toMatch(/^'=cmd\\\|/)
  const text = await csvOf(path)
  const type = { 'content-type': 'text/csv' }
  const plan = await expectStatus(201, call('POST', '/api/plans?entity=roles', { body: text, headers: type }))
  expect(plan.totals).toMatchObject([{ none: 1, update: 0 }])
})

test('the tags in use and the search take every sign as it is', async () => {
  const mark = unique('Role')
  const { id } = await create('/api/admin/roles', { name: mark, links: [], tags: hostile })
  await create('/api/admin/roles', { name: unique('Role'), links: [], tags: ['100 of x'] })
  const untagged = await create('/api/admin/roles', { name: unique('Role'), links: [] })
  for (const tag of hostile) {
    const has = encodeURIComponent(tag)
    expect(await read(`/api/tags?has=${has}`)).toMatchObject({ totalSize: 1, collection: [{ name: tag }] })
    const { collection } = await read(`/api/session/search?limit=20&has=${has}`)
    expect(collection).toContainEqual(expect.objectContaining({ type: 'role', id, name: mark }))
  }
  const { collection } = await read(`/api/session/search?limit=20&has=${encodeURIComponent('[]')}`)
  expect(collection.map((hit: { id: number }) => hit.id)).not.toContain(untagged.id)
})

describe('the tags in use', () => {
  test('are those of resources that the caller sees, with their numbers', async () => {
    const tag = unique('Shared')
    const own = await newEnterprise()
    const fields = (names: string[]) => ({ name: unique('Role'), links: [], tags: names })
    await create('/api/admin/roles', fields([tag]))
    const enterprise = `/api/admin/enterprises/${own.id}`
    await expectStatus(200, put(enterprise, { ...(await read(enterprise)), tags: [tag.toLowerCase()] }))
    const found = await read(`/api/tags?has=${encodeURIComponent(tag.toUpperCase())}`)
    expect(found).toMatchObject({ totalSize: 1, collection: [{ count: 2 }] })
    const reader = await newUser({ privileges: ['USERS_VIEW_PRIVILEGES'] })
    const seen = await expectStatus(
      200,
      call('GET', `/api/tags?has=${encodeURIComponent(tag)}`, { as: reader }),
    )
    expect(seen.collection).toEqual([{ links: [], name: tag, count: 1 }])
    const none = await newUser({ privileges: [] })
    expect(await expectStatus(200, call('GET', '/api/tags', { as: none }))).toMatchObject({ totalSize: 0 })
  })

  test('are ordered by name or by number, and shown in XML', async () => {
    const mark = unique('order')
    const role = (names: string[]) =>
      create('/api/admin/roles', { name: unique('Role'), links: [], tags: names })
    await role([`${mark} b`, `${mark} a`])
    await role([`${mark} b`])
    const path = `/api/tags?has=${encodeURIComponent(mark)}`
    const names = async (query: string) =>
      (await read(path + query)).collection.map(({ name }: { name: string }) => name.at(-1))
    expect(await names('')).toEqual(['a', 'b'])
    expect(await names('&by=count&asc=false')).toEqual(['b', 'a'])
    const xml = await expectStatus(200, call('GET', path, { headers: { accept: 'application/xml' } }))
    expect(xml).toContain(`<tag><name>${mark} a</name><count>1</count></tag>`)
  })
})

test('the search finds by tag and by description', async () => {
  const [tag, note] = [unique('Searched'), unique('Noted')]
  const { id } = await create('/api/admin/roles', {
    name: unique('Role'),
    links: [],
    tags: [tag],
    description: note,
  })
  for (const text of [tag.toUpperCase(), note.toUpperCase()]) {
    const { collection } = await read(`/api/session/search?has=${encodeURIComponent(text)}`)
    expect(collection).toMatchObject([{ type: 'role', id }])
  }
})
