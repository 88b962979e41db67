import { describe, expect, test } from 'vitest'
import { parseEnv } from '#lib/ground/env.server'
import { call, codesOf, expectStatus, newUser, ORIGIN, unique } from '#lib/tools/testing/client'
import { withSettings } from '#lib/tools/testing/session'

type Link = { href: string; rel: string; type?: string; title?: string }

const scopeLinks = async (path: string): Promise<Link[]> => (await expectStatus(200, call('GET', path))).links

describe('links in a response (docs/api/conventions.md, "Links")', () => {
  test('have the origin of the request, without a default port', async () => {
    for (const [origin, expected] of [
      ['http://elsewhere.test:8080', 'http://elsewhere.test:8080'],
      ['http://elsewhere.test:80', 'http://elsewhere.test'],
      ['https://elsewhere.test:443', 'https://elsewhere.test'],
    ]) {
      expect((await scopeLinks(`${origin}/api/admin/scopes/1`))[0]?.href).toBe(
        `${expected}/api/admin/scopes/1`,
      )
    }
  })

  test('have the origin of BASE_URL if it is set, also page links and Location', async () => {
    await withSettings({ BASE_URL: 'https://cloud.example' }, async () => {
      expect((await scopeLinks('/api/admin/scopes/1'))[0]?.href).toBe(
        'https://cloud.example/api/admin/scopes/1',
      )
      expect((await scopeLinks('/api/admin/scopes'))[0]?.href).toMatch(
        /^https:\/\/cloud\.example\/api\/admin\/scopes\?/,
      )
      const made = await call('POST', '/api/admin/scopes', { body: { name: unique('Scope') } })
      expect(made.headers.get('location')).toMatch(/^https:\/\/cloud\.example\/api\/admin\/scopes\/\d+$/)
    })
  })

  test.each([
    ['https://cloud.example:443', 'https://cloud.example'],
    ['http://cloud.example:80/', 'http://cloud.example'],
    ['https://cloud.example:8443/', 'https://cloud.example:8443'],
  ])('have for the setting BASE_URL=%s the origin %s', (setting, expected) => {
    expect(parseEnv({ BASE_URL: setting, SECRET_KEY: 'x'.repeat(32) }).BASE_URL).toBe(expected)
  })

  test('have the exact type of their target without parameters; page links have neither type nor title', async () => {
    const made = await expectStatus(
      201,
      call('POST', '/api/admin/datacenters', { body: { name: unique('Place') } }),
    )
    const types = Object.fromEntries(made.links.map(({ rel, type }: Link) => [rel, type]))
    expect(types).toEqual({
      edit: 'application/vnd.service.datacenter+json',
      racks: 'application/vnd.service.racks+json',
      remoteServices: 'application/vnd.service.remoteservices+json',
      devices: 'application/vnd.service.devices+json',
      natnetworks: 'application/vnd.service.natnetworks+json',
      tiers: 'application/vnd.service.tiers+json',
      network: 'application/vnd.service.vlans+json',
      location: 'application/vnd.service.datacenter+json',
    })
    for (const link of await scopeLinks('/api/admin/scopes'))
      expect(Object.keys(link).sort()).toEqual(['href', 'rel'])
  })

  test('an action has no type', async () => {
    const user = await newUser()
    const on = await call('POST', `/api/admin/enterprises/_/users/${user.id}/action/enable2fa`, {
      as: user,
      body: { type: 'APP_AUTHENTICATOR' },
    })
    const { links } = await expectStatus(
      200,
      call('GET', '/api/login', {
        headers: { authorization: `Token ${on.headers.get('x-service-token')}` },
        as: null,
      }),
    )
    const link = (rel: string) => links.find((each: Link) => each.rel === rel)
    expect(link('disable2fa')).toEqual({
      rel: 'disable2fa',
      href: expect.stringMatching(/\/action\/disable2fa$/),
    })
    expect(link('enable2fa').type).toBe('application/vnd.service.twofactorauthcredentials+json')
  })

  test('every object and every collection has links, even if empty', async () => {
    const scope = await expectStatus(
      201,
      call('POST', '/api/admin/scopes', { body: { name: unique('Scope') } }),
    )
    const list = await expectStatus(
      200,
      call('GET', `/api/admin/scopes?has=${encodeURIComponent(scope.name)}`),
    )
    expect(list.collection[0].links).toBeInstanceOf(Array)
    const refused = await call('GET', '/api/admin/scopes/999999999')
    expect(await refused.json()).toMatchObject({ links: [] })
  })
})

describe('links in a request', () => {
  const post = (links: unknown) =>
    call('POST', '/api/admin/scopes', { body: { name: unique('Scope'), links } })
  const parentOf = async (href: string) => {
    const made = await expectStatus(201, post([{ rel: 'scopeParent', href }]))
    return made.links.find(({ rel }: Link) => rel === 'scopeParent')?.href
  }

  test.each([
    '/api/admin/scopes/1',
    'https://some.other.host:9999/api/admin/scopes/1',
    `${ORIGIN}/api/admin/scopes/1/?startwith=3`,
    `${ORIGIN}//api/admin//scopes/1#top`,
  ])('the id is read from the path of %s, the host is ignored', async (href) => {
    expect(await parentOf(href)).toBe(`${ORIGIN}/api/admin/scopes/1`)
  })

  test('unknown attributes and rels are ignored', async () => {
    const link = {
      rel: 'scopeParent',
      href: '/api/admin/scopes/1',
      diskLabel: 'x',
      type: 5,
      title: null,
      hreflang: [],
    }
    await expectStatus(201, post([link, { rel: 'somethingElse', href: 'urn:what:ever' }]))
  })

  test.each([
    ['without rel', { href: '/api/admin/scopes/1' }, 'LINK-0'],
    ['with an empty rel', { rel: '', href: '/api/admin/scopes/1' }, 'LINK-0'],
    ['with a null rel', { rel: null, href: '/api/admin/scopes/1' }, 'LINK-0'],
    ['without rel and href', {}, 'LINK-0'],
    ['without href', { rel: 'scopeParent' }, 'LINK-1'],
    ['with a null href', { rel: 'scopeParent', href: null }, 'LINK-1'],
    ['without href, with an unknown rel', { rel: 'somethingElse' }, 'LINK-1'],
    ['to another kind of resource', { rel: 'scopeParent', href: '/api/admin/datacenters/1' }, 'GEN-6'],
    ['to a collection', { rel: 'scopeParent', href: '/api/admin/scopes' }, 'GEN-6'],
    ['without a numeric id', { rel: 'scopeParent', href: '/api/admin/scopes/abc' }, 'GEN-6'],
    ['to a path below the resource', { rel: 'scopeParent', href: '/api/admin/scopes/1/more' }, 'GEN-6'],
    ['with an invalid URL', { rel: 'scopeParent', href: 'http://[' }, 'GEN-6'],
    ['to id 0', { rel: 'scopeParent', href: '/api/admin/scopes/0' }, 'GEN-1'],
  ])('a link %s is refused', async (_what, link, code) => {
    const response = await post([link])
    expect(response.status).toBe(400)
    expect(await codesOf(response)).toEqual([code])
  })

  test('invalid links get the same refusals in XML', async () => {
    const postXml = (link: string) =>
      call('POST', '/api/admin/scopes', {
        body: `<scope>${link}<name>${unique('Scope')}</name></scope>`,
        headers: { 'content-type': 'application/xml' },
      })
    expect(await codesOf(postXml('<link href="/api/admin/scopes/1"/>'))).toEqual(['LINK-0'])
    expect(await codesOf(postXml('<link/>'))).toEqual(['LINK-0'])
    expect(await codesOf(postXml('<link rel="scopeParent"/>'))).toEqual(['LINK-1'])
    expect(await codesOf(postXml('<link rel="scopeParent" href="/api/admin/roles/1"/>'))).toEqual(['GEN-6'])
  })

  test('a link to a resource that does not exist is 404 with its code', async () => {
    const response = await post([{ rel: 'scopeParent', href: '/api/admin/scopes/999999999' }])
    expect(response.status).toBe(404)
    expect(await codesOf(response)).toEqual(['SCOPE-1'])
  })

  test.each([[{}], ['x'], [[5]], [[null]]])('the links %j are refused', async (links) => {
    const response = await post(links)
    expect(response.status).toBe(400)
    expect(await codesOf(response)).toEqual(['GEN-3'])
  })
})
