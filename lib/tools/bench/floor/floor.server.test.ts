import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { env } from '#lib/ground/env.server'
import { createFloor } from '#lib/tools/bench/floor/server'
import { sampleBulk } from '#lib/tools/sample/bulk.server'
import { admin, basicOf, call, expectStatus, ORIGIN, router, unique } from '#lib/tools/testing/client'

/* The floor of the measurements answers with the product's bytes, and changes what the product changes. */

let floor: ReturnType<typeof createFloor>
let floorUrl = ''
let token = ''
const place = { datacenter: 0, network: 0, center: 0 }

beforeAll(async () => {
  await router()
  await sampleBulk({ natIps: 900, natRules: 900, scopes: 30, enterprises: 30, users: 30 }, () => {})
  const login = await call('GET', '/api/login')
  token = login.headers.get('x-service-token') ?? ''
  const last = async (path: string) =>
    (await expectStatus(200, call('GET', `${path}?by=id&asc=false&limit=1`))).collection[0]
  place.datacenter = (await last('/api/admin/datacenters')).id
  place.center = (await last('/api/cloud/virtualdatacenters')).id
  place.network = (await last(networks())).id
  await changeAsTheBench()
  floor = createFloor(env()).listen(0, '127.0.0.1')
  await once(floor, 'listening')
  floorUrl = `http://127.0.0.1:${(floor.address() as AddressInfo).port}`
})

afterAll(async () => {
  floor.closeAllConnections()
  floor.close()
  await once(floor, 'close')
})

/** A page of events as they are in a database of the bench. Other tests leave events of all kinds. */
async function changeAsTheBench(): Promise<void> {
  const body = { name: unique('Floor') }
  await expectStatus(201, call('POST', '/api/admin/enterprises/_/users/1/tokens', { body }))
  const path = `${networks()}/${place.network}`
  const network = await documentOf(ask(path))
  for (let number = 0; number < 25; number += 1)
    await documentOf(ask(path, { method: 'PUT', body: { ...network, name: `Renamed ${number % 2}` } }))
}

const networks = () => `/api/admin/datacenters/${place.datacenter}/natnetworks`

const JSON_ONLY = { accept: 'application/json' }

const byToken = () => ({ authorization: `Token ${token}`, ...JSON_ONLY })

type Reply = { status: number; headers: Record<string, string>; text: string }

/** Headers that differ from answer to answer, and those of the connection. */
const own = /^(connection|date|keep-alive|set-cookie|transfer-encoding|x-request-id|x-service-token)$/

async function replyOf(response: Response): Promise<Reply> {
  const atOrigin = (text: string) => text.replaceAll(floorUrl, ORIGIN)
  const kept = [...response.headers].filter(([name]) => !own.test(name))
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, atOrigin(value)]))
  return { status: response.status, headers, text: atOrigin(await response.text()) }
}

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> }

const askFloor = (
  path: string,
  { method = 'GET', body, headers = byToken() }: Sent = {},
): Promise<Response> =>
  fetch(floorUrl + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })

const ask = (path: string, { method = 'GET', body, headers = byToken() }: Sent = {}): Promise<Response> =>
  call(method, path, { as: null, headers, ...(body !== undefined && { body }) })

/** Both differ in the lengths of their addresses. */
const withoutLength = ({
  headers: { 'content-length': _length, etag: _etag, ...headers },
  ...reply
}: Reply) => ({
  ...reply,
  headers,
})

test.each([
  ['a page of IPs', () => `${networks()}/action/allips`],
  ['IPs found by blocks', () => `${networks()}/action/allips?startwith=411`],
  ['IPs near the end', () => `${networks()}/action/allips?startwith=801`],
  ['IPs beyond the end', () => `${networks()}/action/allips?startwith=2000`],
  ['IPs with an address', () => `${networks()}/action/allips?has=10.0.0.2`],
  ['IPs with an address that some have', () => `${networks()}/action/allips?has=0.0.1.25`],
  ['IPs with an address that none has', () => `${networks()}/action/allips?has=10.9.9.9`],
  ['a page of rules', () => `${networks()}/action/allrules`],
  ['rules found by blocks', () => `${networks()}/action/allrules?startwith=555`],
  ['rules with a NAT IP', () => `${networks()}/action/allrules?has=10.0.1.2`],
  ['rules with a private IP', () => `${networks()}/action/allrules?has=172.16.0.77`],
  ['rules with no address', () => `${networks()}/action/allrules?has=10.9.9.9`],
  ['scopes', () => '/api/admin/scopes'],
  ['one scope', () => '/api/admin/scopes/1'],
  ['NAT networks', networks],
  ['users', () => '/api/admin/enterprises/_/users'],
  ['enterprises', () => '/api/admin/enterprises'],
  ['other scopes', () => '/api/admin/scopes?startwith=25'],
  ['the last users', () => '/api/admin/enterprises/_/users?startwith=1000000'],
  ['the last events', () => '/api/events?startwith=1000000'],
  ['the caller', () => '/api/login'],
])('the floor answers like the product: %s', async (_what, path) => {
  const expected = await replyOf(await ask(path()))
  expect(expected.status).toBe(200)
  expect(withoutLength(await replyOf(await askFloor(path())))).toEqual(withoutLength(expected))
})

test('a token of the floor opens the product, and a Basic pair opens the floor, repeated too', async () => {
  const basic = { authorization: basicOf(admin), ...JSON_ONLY }
  const expected = await replyOf(await ask('/api/login', { headers: basic }))
  for (const _time of [1, 2]) {
    const answer = await askFloor('/api/login', { headers: basic })
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
    const issued = answer.headers.get('x-service-token')
    expect(cookies).toEqual([`auth=${issued}`, `session=${issued}`])
    expect(withoutLength(await replyOf(answer))).toEqual(withoutLength(expected))
    await expectStatus(200, ask('/api/login', { headers: { authorization: `Token ${issued}` } }))
  }
  expect((await askFloor('/api/login', { headers: { authorization: `Token ${token}x` } })).status).toBe(401)
  const wrong = { authorization: basicOf({ ...admin, password: 'wrong' }) }
  expect((await askFloor('/api/login', { headers: wrong })).status).toBe(401)
})

type Document = { id: number; name: string; ip: string; ips: number; usedIps: number }

const documentOf = (answer: Promise<Response>, status = 200): Promise<Document> =>
  expectStatus(status, answer)

/** The text without the address and the id of this NAT IP. */
const without = (text: string, { id, ip }: Pick<Document, 'id' | 'ip'>): string =>
  text.replaceAll(ip, 'IP').replace(new RegExp(`(/ips/|[iI]d\\\\?":)${id}\\b`, 'g'), '$1N')

/** The last event, with the documents before and after it. */
async function lastEvent(): Promise<string> {
  const { collection } = await expectStatus(200, ask('/api/events?by=id&asc=false&limit=1'))
  const [{ id, timestamp: _timestamp, requestId: _requestId, ...shown }] = collection
  const links = shown.links as { rel: string; href: string }[]
  const read = (rel: string) => {
    const link = links.find((link) => link.rel === rel)
    return link && expectStatus(200, ask(link.href))
  }
  const documents = [shown, await read('before'), await read('after')]
  return JSON.stringify(documents).replaceAll(`/events/${id}`, '/events/N')
}

test('the floor renames a NAT network like the product', async () => {
  const path = `${networks()}/${place.network}`
  const before = await documentOf(ask(path))
  const renamed = { method: 'PUT', body: { ...before, name: unique('Renamed "network"') } }
  const answer = await replyOf(await askFloor(path, renamed))
  expect(withoutLength(answer)).toEqual(withoutLength(await replyOf(await ask(path))))
  const event = await lastEvent()
  await documentOf(askFloor(path, renamed))
  expect(await lastEvent()).toBe(event)
  await documentOf(ask(path, { method: 'PUT', body: before }))
  expect(withoutLength(await replyOf(await ask(path, renamed)))).toEqual(withoutLength(answer))
  expect(await lastEvent()).toBe(event)
})

test('the floor creates and attaches NAT IPs like the product', async () => {
  const path = `${networks()}/${place.network}`
  const before = await documentOf(ask(path))
  const made: Document[] = []
  const outcomes: string[][] = []
  for (const from of [ask, askFloor, ask, askFloor]) {
    const created = await from(`${path}/ips`, { method: 'POST', body: {} })
    const ip: Document = JSON.parse(await created.clone().text())
    const creation = await lastEvent()
    const free = `/api/cloud/virtualdatacenters/${place.center}/natips/topurchase/${ip.id}`
    const attached = await from(free, { method: 'PUT', ...(from === ask && { body: {} }) })
    const replies = await Promise.all([created, attached].map(replyOf))
    made.push(ip)
    const outcome = [JSON.stringify(replies.map(withoutLength)), creation, await lastEvent()]
    outcomes.push(outcome.map((text) => without(text, ip)))
  }
  const [expected] = outcomes
  for (const outcome of outcomes) expect(outcome).toEqual(expected)
  const after = await documentOf(ask(path))
  expect([after.ips - before.ips, after.usedIps - before.usedIps]).toEqual([4, 4])
  for (const [index, { ip }] of made.entries()) {
    const found = await expectStatus(200, ask(`${networks()}/action/ipposition?all=true&ip=${ip}`))
    expect(found.position).toBe(before.ips + index)
  }
})

test('changes that arrive together each have their address and event', async () => {
  const path = `${networks()}/${place.network}/ips`
  const made = await Promise.all(
    Array.from({ length: 5 }, () => documentOf(askFloor(path, { method: 'POST', body: {} }), 201)),
  )
  expect(new Set(made.map(({ ip }) => ip)).size).toBe(5)
  const { collection } = await expectStatus(200, ask('/api/events?by=id&asc=false&limit=5'))
  expect(collection.map(({ action }: { action: string }) => action)).toEqual(Array(5).fill('create'))
})
