import { beforeAll, describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newEnterprise, ORIGIN, unique } from '#lib/tools/testing/client'
import { withSettings } from '#lib/tools/testing/session'

type Link = { href: string; rel: string }
type Page = { links: Link[]; collection: { id: number; name: string }[]; totalSize: number }

const scopes = '/api/admin/scopes'

/** A word that occurs only in the names of these scopes. */
const word = `${unique('paged')}:`
const names = Array.from({ length: 7 }, (_, index) => `${word} ${index + 1}`)

const create = (name: string) => expectStatus(201, call('POST', scopes, { body: { name } }))
const list = (query: string): Promise<Page> => expectStatus(200, call('GET', `${scopes}?${query}`))

const page = async (query: string) => {
  const { collection, links, totalSize } = await list(`has=${encodeURIComponent(word)}&${query}`)
  const shown = collection.map(({ name }) => name.slice(word.length + 1)).join('')
  const hrefs = links.map(({ rel, href }) => [rel, new URL(href).searchParams.get('startwith')])
  return { shown, totalSize, links: Object.fromEntries(hrefs) as Record<string, string | null> }
}

beforeAll(async () => {
  for (const name of names.toReversed()) await create(name)
})

describe('startwith and limit (docs/api/lists.md, "Paging")', () => {
  test.each([
    ['', '1234567', { first: null, last: '0' }],
    ['limit=3', '123', { first: null, last: '4', next: '3' }],
    ['limit=3&startwith=3', '456', { first: null, last: '4', previous: '0', next: '6' }],
    ['limit=3&startwith=1', '234', { first: null, last: '4', previous: '0', next: '4' }],
    ['limit=3&startwith=6', '7', { first: null, last: '4', previous: '3' }],
    ['limit=3&startwith=4', '567', { first: null, last: '4', previous: '1' }],
    ['limit=7', '1234567', { first: null, last: '0' }],
    ['limit=100&startwith=2', '34567', { first: null, last: '0', previous: '0' }],
    ['limit=1&startwith=6', '7', { first: null, last: '6', previous: '5' }],
  ])('%s shows %s', async (query, shown, links) => {
    expect(await page(query)).toEqual({ shown, totalSize: 7, links })
  })

  test.each([
    ['limit=3&startwith=7', '567'],
    ['limit=3&startwith=999999', '567'],
    ['limit=100&startwith=7', '1234567'],
    ['limit=0&startwith=7', '1234567'],
  ])('beyond the end show the last page: %s shows %s', async (query, shown) => {
    expect(await page(query)).toMatchObject({ shown, totalSize: 7 })
  })

  test('limit=0 gives all rows in one page', async () => {
    expect(await page('limit=0')).toEqual({
      shown: '1234567',
      totalSize: 7,
      links: { first: null, last: '0' },
    })
    expect(await page('limit=0&startwith=5')).toEqual({
      shown: '67',
      totalSize: 7,
      links: { first: null, last: '0', previous: '0' },
    })
  })

  test('an empty list has only the links first and last', async () => {
    const nothing = encodeURIComponent(unique('nothing'))
    for (const query of ['', '&startwith=5', '&limit=0', '&limit=3&startwith=9']) {
      const { collection, totalSize, links } = await list(`has=${nothing}${query}`)
      expect({ collection, totalSize }).toEqual({ collection: [], totalSize: 0 })
      expect(links.map(({ rel }) => rel)).toEqual(['first', 'last'])
    }
  })

  test('the default limit is 25', async () => {
    const { links } = await list('')
    expect(links[0]?.href).toBe(`${ORIGIN}${scopes}?limit=25&by=name`)
  })

  test('a client that follows next sees each row once, also with its own query appended', async () => {
    const query = `has=${encodeURIComponent(word)}&limit=2`
    const seen: string[] = []
    let next: string | undefined = `${ORIGIN}${scopes}?${query}`
    while (next) {
      const document: Page = await expectStatus(200, call('GET', `${next}&${query}`))
      seen.push(...document.collection.map(({ name }) => name))
      next = document.links.find(({ rel }) => rel === 'next')?.href
    }
    expect(seen).toEqual(names)
  })
})

describe('order', () => {
  test.each([
    ['by=name', '1234567'],
    ['by=NAME&asc=true', '1234567'],
    ['by=name&asc=false', '7654321'],
    ['by=id', '7654321'],
    ['by=Id&asc=false', '1234567'],
    ['by=id&asc=false&limit=2&startwith=5', '67'],
    ['by=id&asc=false&limit=2&startwith=1', '23'],
  ])('%s shows %s', async (query, shown) => {
    expect((await page(query)).shown).toBe(shown)
  })

  test('upper and lower case sort together', async () => {
    const mark = `${unique('case')}:`
    for (const name of ['b', 'A', 'C', '\u00e9', '\u00c8']) await create(`${mark} ${name}`)
    const { collection } = await list(`has=${encodeURIComponent(mark)}`)
    expect(collection.map(({ name }) => name.at(-1))).toEqual(['A', 'b', 'C', '\u00c8', '\u00e9'])
  })
})

describe('invalid parameters are 400', () => {
  test.each([
    ['startwith=-1', 'GEN-22'],
    ['startwith=x', 'GEN-22'],
    ['startwith=', 'GEN-22'],
    ['startwith=1.5', 'GEN-22'],
    ['startwith=9999999999999999999', 'GEN-22'],
    ['limit=-5', 'GEN-22'],
    ['limit=all', 'GEN-22'],
    ['limit=%2B5', 'GEN-22'],
    ['asc=yes', 'GEN-22'],
    ['asc=', 'GEN-22'],
    ['by=nothing', 'QUERY-0'],
    ['by=name_key', 'QUERY-0'],
    ['by=name;drop', 'QUERY-0'],
    ['has=%00', 'GEN-22'],
    ['enterprise=x', 'GEN-22'],
  ])('%s: %s', async (query, code) => {
    const response = await call('GET', `${scopes}?${query}`)
    expect([response.status, await codesOf(response)]).toEqual([400, [code]])
  })

  test('all faults are reported at once', async () => {
    const codes = await codesOf(call('GET', `${scopes}?startwith=x&limit=y&by=z&asc=no`))
    expect(codes.sort()).toEqual(['GEN-22', 'GEN-22', 'GEN-22', 'QUERY-0'])
  })

  test('unknown parameters are ignored', () => list('unknown=1&__proto__=x&expand=y'))
})

describe('the parameter has', () => {
  const mark = `${unique('has')}:`
  const found = async (text: string) => {
    const { collection } = await list(`has=${encodeURIComponent(`${mark} ${text}`)}&limit=0`)
    return collection.map(({ name }) => name.slice(mark.length + 1))
  }

  test.each([
    ['100% sure', '0% s', '1__ s'],
    ['under_score', 'r_s', 'r%s'],
    ['back\\slash', 'k\\s', 'k\\\\s'],
    [`it's "quoted"`, `t's "q`, `t''s`],
    ['a+b & c=d', '+b & c', 'a b'],
  ])('is literal text: %s is found by %s and not by %s', async (name, part, other) => {
    await create(`${mark} ${name}`)
    const search = async (text: string) =>
      (await list(`has=${encodeURIComponent(text)}&limit=0`)).collection.map((scope) => scope.name)
    expect(await search(part)).toContain(`${mark} ${name}`)
    expect(await search(other)).not.toContain(`${mark} ${name}`)
  })

  test.each([
    ['\u00c4RGER \u00d6L', '\u00e4rger \u00f6l'],
    ['\u041f\u0440\u0438\u0432\u0435\u0442', '\u041f\u0420\u0418\u0412\u0415\u0422'],
    ['\u039f\u0394\u039f\u03a3\u0391', '\u03bf\u03b4\u03bf\u03c3'],
    ['\u03bf\u03b4\u03cc\u03c2', '\u039f\u0394\u038c\u03a3'],
    ['\u039f\u0394\u039f\u03a3\u0395', '\u039f\u0394\u039f\u03a3'],
    ['\u039f\u0394\u038c\u03a3 2', '\u03bf\u03b4\u03cc\u03c3'],
    ['cafe\u0301', 'CAF\u00c9'],
  ])('ignores case beyond ASCII: %s is found by %s', async (name, text) => {
    await create(`${mark} ${name}`)
    expect(await found(text)).toContain(name)
  })

  test('a plus in a query is a space, a percent-encoded one is a plus', async () => {
    const name = `${unique('plus')}: a+b`
    await create(name)
    const { collection } = await list(`has=${name.replaceAll('+', '%2B').replaceAll(' ', '+')}`)
    expect(collection).toHaveLength(1)
    const [, part = ''] = name.split(':')
    expect((await list(`has=${encodeURIComponent(name.split(':', 1)[0] ?? '')}:+a+b`)).totalSize).toBe(0)
    expect(part).toBe(' a+b')
  })
})

describe('the query of the page links', () => {
  const linksOf = async (query: string) => (await list(query)).links.map(({ href }) => new URL(href))

  test('has the filters of the list, then startwith, limit, has, by, and asc only if false', async () => {
    const { id } = await newEnterprise()
    const scopeEntities = [{ idResource: id, type: 'ENTERPRISE' }]
    const mark = `${unique('mark')}:`
    for (const name of ['1', '2', '3'])
      await expectStatus(201, call('POST', scopes, { body: { name: `${mark} ${name}`, scopeEntities } }))
    const query = `has=${encodeURIComponent(mark)}&asc=false&limit=1&startwith=2&enterprise=${id}`
    const [first, last, previous] = (await linksOf(query)).map(({ searchParams }) => [...searchParams.keys()])
    expect(first).toEqual(['enterprise', 'limit', 'has', 'by', 'asc'])
    expect(last).toEqual(['enterprise', 'startwith', 'limit', 'has', 'by', 'asc'])
    expect(previous).toEqual(last)
    const [ascending] = await linksOf(`has=${encodeURIComponent(word)}&asc=true`)
    expect(ascending?.search).not.toContain('asc')
  })

  test('is percent-encoded, so that it leads back to the same list', async () => {
    const mark = `${unique('odd')}: a+b&c=d #%20 \u00e9/?`
    await create(mark)
    const [first] = await linksOf(`has=${encodeURIComponent(mark)}`)
    expect(first?.search).toContain(`has=${encodeURIComponent(mark)}`)
    expect((await expectStatus(200, call('GET', first?.href ?? ''))).totalSize).toBe(1)
  })

  test('has the origin of BASE_URL, and the canonical spelling of by', async () => {
    await withSettings({ BASE_URL: 'https://cloud.example' }, async () => {
      const [first] = await linksOf('by=NAME&limit=1')
      expect(first?.href).toBe(`https://cloud.example${scopes}?limit=1&by=name`)
    })
  })
})
