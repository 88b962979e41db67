import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { NatIpHolding } from '#lib/cloud/nat/holdings.schema'
import { transaction } from '#lib/db/db.server'
import type { Collection } from '#lib/ground/http/view'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import {
  admin,
  call,
  expectStatus,
  newEnterprise,
  newUser,
  ORIGIN,
  type User,
} from '#lib/tools/testing/client'
import { readCsv } from '#lib/tools/testing/csv'
import { enterpriseLink, putUser, readUser, relinked } from '#lib/tools/testing/identity'
import { centerPath, newCenter } from '#lib/tools/testing/inventory'
import { ipOf, networksPath, newDatacenter, newNetwork } from '#lib/tools/testing/nat'
import { attachIp, ipsPath, newTenIps, releasePath } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const IP = '192.0.2.1'

const historyPath = (datacenter: number, query = `ip=${IP}`): string =>
  `${networksPath(datacenter)}/action/addresshistory?${query}`

const historyOf = (
  { datacenter }: { datacenter: number },
  query?: string,
  as: User = admin,
): Promise<Collection<NatIpHolding> & { totalSize: number }> =>
  expectStatus(200, call('GET', historyPath(datacenter, query), { as }))

const holderOf = (holding: NatIpHolding | undefined): number | undefined =>
  holding && idOfLink(linkOf(holding, 'virtualdatacenter'))

const holders = ({ collection }: Collection<NatIpHolding>) => collection.map(holderOf)

/** A network with ten addresses, and two virtual datacenters of its datacenter. */
async function newPlace() {
  const network = await newTenIps()
  const center = () => newCenter({ datacenter: network.datacenter })
  return { network, datacenter: network.datacenter, one: await center(), two: await center() }
}

const release = (center: number, id: number, as: User = admin) =>
  expectStatus(200, call('PUT', releasePath(center, id), { as }))

/** A moment in a millisecond without any change: after the earlier changes, and before the later ones. */
async function freshMoment(): Promise<string> {
  const next = async (time: number): Promise<number> => {
    while (Date.now() <= time) await setImmediate()
    return Date.now()
  }
  const moment = await next(Date.now())
  await next(moment)
  return new Date(moment).toISOString()
}

const remove = (path: string) => expectStatus(204, call('DELETE', path))

describe('the history of an address', () => {
  test('has each holder with its time and the user who attached it, newest first', async () => {
    const { network, one, two } = await newPlace()
    expect(await historyOf(network)).toMatchObject({ collection: [], totalSize: 0 })
    const colleague = await newUser()
    const id = await attachIp(network, one.id, IP)
    await release(one.id, id, colleague)
    await attachIp(network, two.id, IP, colleague)
    await release(two.id, id)
    await attachIp(network, one.id, IP)
    const { collection, totalSize } = await historyOf(network)
    expect(totalSize).toBe(3)
    expect(collection.map((each) => [holderOf(each), each.user])).toEqual([
      [one.id, admin.nick],
      [two.id, colleague.nick],
      [one.id, admin.nick],
    ])
    const [now, then, first] = collection
    expect(now).not.toHaveProperty('to')
    expect(now).not.toHaveProperty('fromEarlier')
    for (const [later, earlier] of [
      [now, then],
      [then, first],
    ]) {
      expect(Date.parse(earlier?.to ?? '')).toBeGreaterThanOrEqual(Date.parse(earlier?.from ?? ''))
      expect(Date.parse(later?.from ?? '')).toBeGreaterThanOrEqual(Date.parse(earlier?.to ?? ''))
    }
  })

  test('names the network, the virtual datacenter and the enterprise, in JSON, XML and CSV', async () => {
    const { network, one } = await newPlace()
    await attachIp(network, one.id, IP)
    const { collection } = await historyOf(network)
    const [holding] = collection
    expect(holding).toMatchObject({ ip: IP, networkName: network.name })
    expect(
      holding?.links.map(({ rel, href, title }) => [rel, href.replace(`${ORIGIN}/api`, ''), title]),
    ).toEqual([
      ['natnetwork', `/admin/datacenters/${network.datacenter}/natnetworks/${network.id}`, network.name],
      ['virtualdatacenter', `/cloud/virtualdatacenters/${one.id}`, one.document.name],
      ['enterprise', `/admin/enterprises/${one.enterprise}`, expect.any(String)],
      ['datacenter', `/admin/datacenters/${network.datacenter}`, expect.any(String)],
    ])
    const headers = { accept: 'application/vnd.service.natipholdings+xml' }
    const xml = await expectStatus(200, call('GET', historyPath(network.datacenter), { headers }))
    expect(xml).toContain('<natipholdings><link ')
    expect(xml).toContain(
      `<ip>${IP}</ip><networkName>${network.name}</networkName><from>${holding?.from}</from>`,
    )
    const { rows } = await readCsv(historyPath(network.datacenter))
    expect(rows).toMatchObject([
      {
        ip: IP,
        network: network.name,
        virtualDatacenterId: String(one.id),
        from: holding?.from,
        to: '',
        user: admin.nick,
      },
    ])
  })

  test('is over all datacenters that the caller sees, also for deleted addresses', async () => {
    const [first, second, hidden] = [await newPlace(), await newPlace(), await newPlace()]
    const ip = '192.0.2.9'
    for (const { network, one } of [first, second, hidden]) {
      const id = await attachIp(network, one.id, ip)
      await release(one.id, id)
      await remove(`${ipsPath(network)}/${id}`)
    }
    const holders = [first, second].map(({ one }) => one)
    const { id: scopeId } = await newScope({
      datacenters: [first.datacenter, second.datacenter],
      enterprises: holders.map(({ enterprise }) => enterprise),
    })
    const as = await newUser({ scopeId })
    const path = `/api/admin/natnetworks/action/addresshistory?ip=${ip}`
    const places = async (query: string, as: User) => {
      const { collection, totalSize } = await expectStatus(200, call('GET', `${path}${query}`, { as }))
      return [collection.map((held: NatIpHolding) => idOfLink(linkOf(held, 'datacenter'))), totalSize]
    }
    expect(await places('', as)).toEqual([[second.datacenter, first.datacenter], 2])
    expect(await places('&asc=true&limit=1', as)).toEqual([[first.datacenter], 2])
    const page = await expectStatus(200, call('GET', `${path}&limit=1`, { as }))
    expect(page.links.find(({ rel }: { rel: string }) => rel === 'next').href).toContain(path)
    expect((await places('&limit=0', admin))[0]).toEqual(expect.arrayContaining([hidden.datacenter]))
    const nobody = await newUser({ scopeId: (await newScope()).id })
    expect(await places('', nobody)).toEqual([[], 0])
    expect(await refusal(call('GET', `${path.replace(ip, 'x')}`, { as }))).toEqual([400, 'CONSTR-PATTERN'])
    const without = await newUser({ scopeId, privileges: ['VDC_ENUMERATE'] })
    expect((await call('GET', path, { as: without })).status).toBe(403)
  })

  test('is not changed by the availability, the quarantine or the default SNAT of the IP', async () => {
    const { network, one } = await newPlace()
    const id = await attachIp(network, one.id, IP)
    const { collection } = await historyOf(network)
    const path = `${ipsPath(network)}/${id}`
    await expectStatus(200, call('PUT', path, { body: { quarantine: true } }))
    await expectStatus(200, call('PUT', path, { body: { available: false } }))
    await expectStatus(
      200,
      call('PUT', `${centerPath(one.id)}/natips/${id}`, { body: { defaultSnat: true } }),
    )
    expect((await historyOf(network)).collection).toEqual(collection)
  })

  test('has the holders of a deleted address, of its successor and of other networks with the address', async () => {
    const { network, one, two } = await newPlace()
    const id = await attachIp(network, one.id, IP)
    await release(one.id, id)
    await remove(`${ipsPath(network)}/${id}`)
    expect(holders(await historyOf(network))).toEqual([one.id])
    await expectStatus(201, call('POST', ipsPath(network), { body: { ip: IP } }))
    await attachIp(network, two.id, IP)
    const other = await newNetwork({ datacenter: network.datacenter, cidr: '192.0.2.0/28' })
    await expectStatus(201, call('POST', ipsPath(other), { body: { ip: IP } }))
    await attachIp(other, one.id, IP)
    const { collection } = await historyOf(network)
    expect(collection.map((each) => [holderOf(each), each.networkName])).toEqual([
      [one.id, other.name],
      [two.id, network.name],
      [one.id, network.name],
    ])
  })

  test('names a deleted network as it last was, and a present one as it is', async () => {
    const { network, one } = await newPlace()
    const small = await newNetwork({ datacenter: network.datacenter, cidr: '198.51.100.0/24' })
    await expectStatus(201, call('POST', ipsPath(small), { body: { ip: '198.51.100.7' } }))
    const id = await attachIp(small, one.id, '198.51.100.7')
    await release(one.id, id)
    const path = `${networksPath(small.datacenter)}/${small.id}`
    const document = await expectStatus(200, call('GET', path))
    await expectStatus(200, call('PUT', path, { body: { ...document, name: `${small.name} renamed` } }))
    const names = async () =>
      (await historyOf(network, 'ip=198.51.100.7')).collection.map(({ networkName }) => networkName)
    expect(await names()).toEqual([`${small.name} renamed`])
    await remove(`${ipsPath(small)}/${id}`)
    await remove(path)
    expect(await names()).toEqual([`${small.name} renamed`])
  })

  test('has a deleted virtual datacenter until its deletion', async () => {
    const { network, one } = await newPlace()
    const id = await attachIp(network, one.id, IP)
    await expectStatus(
      200,
      call('PUT', `${centerPath(one.id)}/natips/${id}`, { body: { defaultSnat: true } }),
    )
    await remove(centerPath(one.id))
    const { collection } = await historyOf(network)
    expect(collection).toMatchObject([{ to: expect.any(String), user: admin.nick }])
    expect(collection.map((each) => linkOf(each, 'virtualdatacenter')?.title)).toEqual([one.document.name])
  })

  test('names who attached it in any step of a bulk change', async () => {
    const { network, one } = await newPlace()
    const ids = [(await ipOf(network, '192.0.2.2')).id, (await ipOf(network, IP)).id].sort((a, b) => a - b)
    const colleague = await newUser()
    const bulk = (action: string, body: object) =>
      expectStatus(
        200,
        call('POST', `${networksPath(network.datacenter)}/action/${action}`, { body, as: colleague }),
      )
    const virtualdatacenter = { rel: 'virtualdatacenter', href: `${ORIGIN}${centerPath(one.id)}` }
    const step = { links: [virtualdatacenter], ids, most: 1 }
    const { next, event } = await bulk('attachips', step)
    await bulk('attachips', { ...step, after: next, event })
    for (const ip of [IP, '192.0.2.2'])
      expect((await historyOf(network, `ip=${ip}`)).collection).toMatchObject([{ user: colleague.nick }])
    await bulk('releaseips', { ids })
    expect((await historyOf(network)).collection).toMatchObject([{ to: expect.any(String) }])
  })

  test('is found for any spelling of the address', async () => {
    const { network, one } = await newPlace()
    const six = await newNetwork({ datacenter: network.datacenter, cidr: '2001:db8::/64' })
    await expectStatus(201, call('POST', ipsPath(six), { body: { ip: '2001:db8::2' } }))
    await attachIp(six, one.id, '2001:db8::2')
    expect((await historyOf(network, 'ip=%202001:DB8:0:0::2')).collection).toMatchObject([
      { ip: '2001:db8::2' },
    ])
  })

  test('is paged, oldest first on request, and by the names of holders', async () => {
    const { network, one, two } = await newPlace()
    for (const { id: center } of [one, two, one]) await release(center, await attachIp(network, center, IP))
    const page = await historyOf(network, `ip=${IP}&limit=1&startwith=1&asc=true`)
    expect([page.totalSize, holders(page)]).toEqual([3, [two.id]])
    const next = linkOf(page, 'next')?.href.replace(ORIGIN, '') ?? ''
    const last = await expectStatus(200, call('GET', next))
    expect(last.collection).toEqual((await historyOf(network)).collection.slice(0, 1))
    const word = encodeURIComponent(two.document.name.toUpperCase())
    expect(holders(await historyOf(network, `ip=${IP}&has=${word}`))).toEqual([two.id])
    expect(holders(await historyOf(network, `ip=${IP}&limit=0`))).toHaveLength(3)
  })
})

describe('the holder at a moment', () => {
  test('is who had attached the address then', async () => {
    const { network, one, two } = await newPlace()
    const free = await freshMoment()
    const id = await attachIp(network, one.id, IP)
    const first = await freshMoment()
    await release(one.id, id)
    const released = await freshMoment()
    await attachIp(network, two.id, IP)
    const second = await freshMoment()
    const at = async (moment: string | undefined) =>
      holders(await historyOf(network, `ip=${IP}&at=${encodeURIComponent(moment ?? '')}`))
    expect(await at(free)).toEqual([])
    expect(await at(first)).toEqual([one.id])
    expect(await at(first.replace('Z', '+00:00'))).toEqual([one.id])
    expect(await at(released)).toEqual([])
    expect(await at(second)).toEqual([two.id])
    const [now, then] = (await historyOf(network)).collection
    expect([await at(now?.from), await at(then?.from), await at(then?.to)]).toEqual([[two.id], [one.id], []])
  })

  test('is refused for a malformed moment, for the future and for before the journal', async () => {
    const { datacenter } = await newTenIps()
    const at = (moment: string) => refusal(call('GET', historyPath(datacenter, `ip=${IP}&at=${moment}`)))
    expect(await at('yesterday')).toEqual([400, 'GEN-22'])
    expect(await at('2999-01-01T00:00:00Z')).toEqual([400, 'ASOF-1'])
    expect(await at('2001-01-01T00:00:00Z')).toEqual([410, 'ASOF-2'])
  })
})

test('a holding that began before the journal is marked, and has no user', async () => {
  const { network, one, two } = await newPlace()
  const id = await attachIp(network, one.id, IP)
  // The result of a journal that begins now.
  await transaction((trx) =>
    trx.deleteFrom('past_rows').where('source', '=', 'nat_ips').where('id', '=', id).execute(),
  )
  const [still] = (await historyOf(network)).collection
  expect(still).toMatchObject({ fromEarlier: true, from: expect.any(String) })
  expect(still).not.toHaveProperty('user')
  expect(holders(await historyOf(network, `ip=${IP}&at=${still?.from}`))).toEqual([one.id])
  await release(one.id, id)
  await attachIp(network, two.id, IP)
  expect((await historyOf(network)).collection).toMatchObject([
    { user: admin.nick },
    { fromEarlier: true, to: expect.any(String) },
  ])
})

describe('a limited caller', () => {
  test('finds the holders that they see, in lists and totals, also deleted ones', async () => {
    const { network, datacenter } = await newPlace()
    const [seen, hidden] = [await newEnterprise(), await newEnterprise()]
    const scope = await newScope({ datacenters: [datacenter], enterprises: [seen.id] })
    const limited = await newUser({ scopeId: scope.id })
    const own = await newCenter({ datacenter, enterprise: seen.id })
    const away = await newCenter({ datacenter, enterprise: hidden.id })
    for (const { id } of [own, away]) await release(id, await attachIp(network, id, IP))
    await attachIp(network, away.id, IP)
    const seenOnly = async () => {
      const { collection, totalSize } = await historyOf(network, undefined, limited)
      expect(totalSize).toBe(1)
      expect(collection.map((each) => linkOf(each, 'virtualdatacenter')?.title)).toEqual([own.document.name])
      // The administrator who attached it belongs to an enterprise that the reader does not see.
      expect(collection[0]).not.toHaveProperty('user')
    }
    await seenOnly()
    for (const { id } of [own, away]) await remove(centerPath(id))
    await seenOnly()
    const byName = `ip=${IP}&has=${encodeURIComponent(away.document.name)}`
    expect(await historyOf(network, byName, limited)).toMatchObject({ collection: [], totalSize: 0 })
    expect(await historyOf(network)).toMatchObject({ totalSize: 3 })
  })

  test('does not learn that a user whom they see now attached it from a hidden enterprise', async () => {
    const { network, datacenter, one } = await newPlace()
    const actor = await newUser()
    await attachIp(network, one.id, IP, actor)
    const user = await readUser(actor.id)
    const links = relinked(user, 'enterprise', enterpriseLink(one.enterprise))
    await expectStatus(200, putUser(user, { links }))
    const { id: scopeId } = await newScope({ datacenters: [datacenter], enterprises: [one.enterprise] })
    const as = await newUser({ scopeId, enterpriseId: one.enterprise })
    const [shown] = (await historyOf(network, undefined, as)).collection
    expect([holderOf(shown), shown?.user]).toEqual([one.id, undefined])
    expect((await historyOf(network)).collection[0]?.user).toBe(actor.nick)
  })

  test('needs the datacenter and the privilege', async () => {
    const { datacenter } = await newTenIps()
    const away = await newUser({ scopeId: (await newScope()).id })
    expect(await refusal(call('GET', historyPath(datacenter), { as: away }))).toEqual([404, 'DC-0'])
    const as = await newUser({ privileges: ['MANAGE_NATIPS'] })
    expect((await call('GET', historyPath(datacenter), { as })).status).toBe(403)
  })
})

test('an invalid address is refused, after a missing datacenter', async () => {
  const { id } = await newDatacenter()
  for (const query of ['', 'ip=', 'ip=10.0.0', 'ip=10.0.0.1/24', 'ip=010.0.0.1'])
    expect(await refusal(call('GET', historyPath(id, query)))).toEqual([400, 'CONSTR-PATTERN'])
  expect(await refusal(call('GET', historyPath(999_999_999, 'ip=x')))).toEqual([404, 'DC-0'])
})
