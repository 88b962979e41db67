import { describe, expect, test } from 'vitest'
import { allPrivileges } from '#lib/caller/auth/privileges'
import { call, codesOf, expectStatus, newUser } from '#lib/tools/testing/client'
import { centerPath, eventsOf, newCenter } from '#lib/tools/testing/inventory'
import { addIps, ipOf, type Network, networksPath, newNetwork } from '#lib/tools/testing/nat'
import {
  attachIp,
  attachPath,
  ipsPath,
  newMachineWithIps,
  newTenIps,
  releasePath,
  ruleBody,
} from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope } from '#lib/tools/testing/scopes'

const newPair = async () => {
  const network = await newTenIps()
  return { network, center: await newCenter({ datacenter: network.datacenter }) }
}

const addresses = async (path: string): Promise<string[]> =>
  (await expectStatus(200, call('GET', path))).collection.map(({ ip }: { ip: string }) =>
    ip.split('.').at(-1),
  )

const natIps = (center: number) => `${centerPath(center)}/natips`

const used = async ({ datacenter, id }: Network) =>
  (await expectStatus(200, call('GET', `${networksPath(datacenter)}/${id}`))).usedIps

describe('attaching a NAT IP to a virtual datacenter', () => {
  test('removes it from the free ones of its datacenter; a PUT without a body is 200 with the document', async () => {
    const { network, center } = await newPair()
    expect(await addresses(`${natIps(center.id)}/topurchase`)).toHaveLength(10)
    const { id } = await ipOf(network, '192.0.2.3')
    const made = await expectStatus(200, call('PUT', attachPath(center.id, id)))
    const held = made.links.filter(({ rel }: { rel: string }) =>
      ['virtualdatacenter', 'enterprise'].includes(rel),
    )
    expect(
      held.map(({ rel, href }: { rel: string; href: string }) => [rel, Number(href.split('/').at(-1))]),
    ).toEqual([
      ['virtualdatacenter', center.id],
      ['enterprise', center.enterprise],
    ])
    expect(await addresses(`${natIps(center.id)}/topurchase`)).not.toContain('3')
    expect(await addresses(natIps(center.id))).toEqual(['3'])
    expect(await addresses(`${natIps(center.id)}/purchased`)).toEqual(['3'])
    expect(await used(network)).toBe(1)
    expect(await eventsOf('natip', id)).toMatchObject([
      {
        action: 'attach',
        changes: { virtualdatacenter: { after: `${center.document.name} (${center.id})` } },
      },
    ])
  })

  test('NAT-IP-13: is refused if it is attached here or elsewhere, unavailable, or in quarantine', async () => {
    const { network, center } = await newPair()
    const other = await newCenter({ datacenter: network.datacenter })
    const attached = await attachIp(network, other.id, '192.0.2.1')
    expect(await refusal(call('PUT', attachPath(center.id, attached)))).toEqual([409, 'NAT-IP-13'])
    expect(await refusal(call('PUT', attachPath(other.id, attached)))).toEqual([409, 'NAT-IP-13'])
    for (const [ip, body] of [
      ['192.0.2.2', { available: false }],
      ['192.0.2.3', { quarantine: true }],
    ] as const) {
      const { id } = await ipOf(network, ip)
      await expectStatus(200, call('PUT', `${ipsPath(network)}/${id}`, { body }))
      expect(await refusal(call('PUT', attachPath(center.id, id)))).toEqual([409, 'NAT-IP-13'])
    }
    expect(await addresses(`${natIps(center.id)}/topurchase`)).toEqual(['4', '5', '6', '7', '8', '9', '10'])
  })

  test('NAT-IP-0, VDC-0: is refused if it is in another datacenter, or the virtual datacenter does not exist', async () => {
    const [one, other] = [await newPair(), await newPair()]
    const { id } = await ipOf(other.network, '192.0.2.1')
    expect(await refusal(call('PUT', attachPath(one.center.id, id)))).toEqual([404, 'NAT-IP-0'])
    expect(await refusal(call('PUT', attachPath(999999999, id)))).toEqual([404, 'VDC-0'])
  })

  test('succeeds once if several requests attach the same one at once', async () => {
    const { network } = await newPair()
    const centers = await Promise.all(
      Array.from({ length: 8 }, () => newCenter({ datacenter: network.datacenter })),
    )
    const { id } = await ipOf(network, '192.0.2.1')
    const answers = await Promise.all(centers.map((center) => call('PUT', attachPath(center.id, id))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    expect(await used(network)).toBe(1)
  })
})

describe('releasing a NAT IP', () => {
  test('makes it free, so that it can be attached again', async () => {
    const { network, center } = await newPair()
    const id = await attachIp(network, center.id, '192.0.2.1')
    const released = await expectStatus(200, call('PUT', releasePath(center.id, id), { body: 'null' }))
    expect(released.links.map(({ rel }: { rel: string }) => rel)).not.toContain('virtualdatacenter')
    expect([await addresses(natIps(center.id)), await used(network)]).toEqual([[], 0])
    await expectStatus(200, call('PUT', attachPath(center.id, id)))
    expect((await eventsOf('natip', id)).map(({ action }: { action: string }) => action)).toEqual([
      'attach',
      'release',
      'attach',
    ])
  })

  test('NAT-IP-8: is refused for a virtual datacenter that does not have it', async () => {
    const { network, center } = await newPair()
    const { id } = await ipOf(network, '192.0.2.1')
    expect(await refusal(call('PUT', releasePath(center.id, id)))).toEqual([409, 'NAT-IP-8'])
    const other = await newCenter({ datacenter: network.datacenter })
    await attachIp(network, other.id, '192.0.2.1')
    expect(await refusal(call('PUT', releasePath(center.id, id)))).toEqual([409, 'NAT-IP-8'])
  })

  test('NAT-IP-14 and NAT-IP-3: is refused for the default SNAT, and for one with rules', async () => {
    const machine = await newMachineWithIps()
    const [first] = machine.natIps
    await expectStatus(
      200,
      call('PUT', `${natIps(machine.center)}/${first}`, { body: { defaultSnat: true } }),
    )
    expect(await refusal(call('PUT', releasePath(machine.center, first)))).toEqual([409, 'NAT-IP-14'])
    await expectStatus(
      201,
      call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: true }) }),
    )
    expect(await refusal(call('PUT', releasePath(machine.center, first)))).toEqual([
      409,
      'NAT-IP-14',
      'NAT-IP-3',
    ])
  })
})

describe('the default SNAT of a virtual datacenter', () => {
  test('can be moved from one IP to another, which the filter snatdefault then shows', async () => {
    const { network, center } = await newPair()
    const [one, two] = [
      await attachIp(network, center.id, '192.0.2.1'),
      await attachIp(network, center.id, '192.0.2.2'),
    ]
    const put = (id: number, defaultSnat: boolean) =>
      call('PUT', `${natIps(center.id)}/${id}`, { body: { defaultSnat } })
    expect(await expectStatus(200, put(one, true))).toMatchObject({ id: one, defaultSnat: true })
    expect(await addresses(`${ipsPath(network)}?snatdefault=true`)).toEqual(['1'])
    expect(await expectStatus(200, put(two, true))).toMatchObject({ id: two, defaultSnat: true })
    expect(await addresses(`${ipsPath(network)}?snatdefault=true`)).toEqual(['2'])
    expect((await expectStatus(200, call('GET', `${natIps(center.id)}/${one}`))).defaultSnat).toBe(false)
    await expectStatus(200, put(one, false))
    expect(await refusal(put(two, false))).toEqual([409, 'NAT-IP-15'])
  })

  test('NAT-IP-8, NAT-IP-0: cannot be an IP that is not attached here, which also cannot be read', async () => {
    const { network, center } = await newPair()
    const { id } = await ipOf(network, '192.0.2.1')
    const path = `${natIps(center.id)}/${id}`
    expect(await refusal(call('PUT', path, { body: { defaultSnat: true } }))).toEqual([409, 'NAT-IP-8'])
    expect(await refusal(call('PUT', path, { body: {} }))).toEqual([400, 'CONSTR-NOTNULL'])
    expect(await codesOf(call('GET', path))).toEqual(['NAT-IP-0'])
  })

  test('ends with the virtual datacenter, whose deletion releases its IPs (docs/api/machines.md, "Virtual datacenters")', async () => {
    const { network, center } = await newPair()
    const id = await attachIp(network, center.id, '192.0.2.1')
    await expectStatus(200, call('PUT', `${natIps(center.id)}/${id}`, { body: { defaultSnat: true } }))
    await expectStatus(204, call('DELETE', centerPath(center.id)))
    expect(await addresses(`${ipsPath(network)}?snatdefault=true`)).toEqual([])
    expect(await used(network)).toBe(0)
    expect(await expectStatus(200, call('GET', `${ipsPath(network)}/${id}`))).toMatchObject({
      defaultSnat: false,
    })
  })
})

test('the totals of a datacenter follow each change of its IPs', async () => {
  const { network, center } = await newPair()
  const second = await newNetwork({ datacenter: network.datacenter, cidr: '198.51.100.0/24' })
  await addIps(second, { count: 1 })
  const other = await newCenter({ datacenter: network.datacenter })
  const ids = new Map<number, number>()
  for (const last of [1, 2, 3, 4]) ids.set(last, await attachIp(network, center.id, `192.0.2.${last}`))
  ids.set(5, await attachIp(network, other.id, '192.0.2.5'))
  await attachIp(second, center.id, '198.51.100.1')
  const put = (last: number, body: object) => call('PUT', `${ipsPath(network)}/${ids.get(last)}`, { body })
  const choose = (last: number, defaultSnat = true, of = center.id) =>
    call('PUT', `${natIps(of)}/${ids.get(last)}`, { body: { defaultSnat } })
  const release = (last: number) => call('PUT', releasePath(center.id, ids.get(last) ?? 0))
  const undoLast = async (last: number) => {
    const event = (await eventsOf('natip', ids.get(last) ?? 0)).at(-1)
    return call('POST', `/api/events/${event.id}/action/undo`)
  }
  const actions = `${networksPath(network.datacenter)}/action`
  const listed = async (query: string) =>
    (await expectStatus(200, call('GET', `${actions}/allips?limit=1&${query}`))).totalSize
  const steps: [what: string, change: () => Promise<Response>, totals: number[]][] = [
    ['3 unavailable', () => put(3, { available: false }), [5, 6, 0, 0]],
    ['2 in quarantine', () => put(2, { quarantine: true }), [5, 6, 0, 0]],
    ['default 1', () => choose(1), [5, 6, 1, 1]],
    ['default 1 again', () => choose(1), [5, 6, 1, 1]],
    ['not default 4, which was none', () => choose(4, false), [5, 6, 1, 1]],
    ['default 3, which is unavailable', () => choose(3), [5, 6, 0, 1]],
    ['default 1 in place of 3', () => choose(1), [5, 6, 1, 1]],
    ['default 5 elsewhere', () => choose(5, true, other.id), [5, 6, 2, 2]],
    ['undo', () => undoLast(5), [5, 6, 1, 1]],
    ['release 2, in quarantine', () => release(2), [5, 5, 1, 1]],
    ['release 4', () => release(4), [6, 4, 1, 1]],
    ['default 3', () => choose(3), [6, 4, 0, 1]],
    ['delete', () => call('DELETE', centerPath(center.id)), [8, 1, 0, 0]],
  ]
  for (const [what, change, totals] of steps) {
    expect([what, (await change()).ok]).toEqual([what, true])
    const { free, attached } = await expectStatus(200, call('GET', `${actions}/ipstates`))
    const defaults = [await listed('snatdefault=true'), await listed('snatdefault=true&all=true')]
    expect([what, free, attached, ...defaults]).toEqual([what, ...totals])
  }
  expect(await expectStatus(200, call('GET', `${natIps(other.id)}/${ids.get(5)}`))).toMatchObject({
    defaultSnat: false,
  })
})

describe('the lists of a virtual datacenter', () => {
  test('are ordered and searched in whole pages, whose links keep the address and the filter', async () => {
    const { network, center } = await newPair()
    const second = await newNetwork({ datacenter: network.datacenter, cidr: '198.51.100.0/24' })
    await addIps(second, { count: 2 })
    await newCenter({ datacenter: network.datacenter })
    for (const last of [9, 10]) await attachIp(network, center.id, `192.0.2.${last}`)
    await attachIp(second, center.id, '198.51.100.2')
    for (const [path, query, ips, totalSize] of [
      ['natips/topurchase', 'by=ip&asc=false&limit=2', ['1', '8'], 9],
      ['natips/topurchase', 'by=network&asc=false&limit=3', ['1', '8', '7'], 9],
      ['natips/topurchase', 'by=network&limit=2&startwith=7', ['8', '1'], 9],
      ['natips/topurchase', 'by=enterprise&limit=2', ['1', '2'], 9],
      ['natips/topurchase', 'has=198.51&by=network', ['1'], 1],
      ['natips/topurchase', 'has=198.51', ['1'], 1],
      ['natips', 'by=network&asc=false', ['2', '10', '9'], 3],
      ['natips', 'usable=true&limit=2', ['9', '10'], 3],
      ['natips/purchased', 'has=2.1', ['10'], 1],
    ] as const) {
      const list = await expectStatus(200, call('GET', `${centerPath(center.id)}/${path}?${query}`))
      const shown = list.collection.map(({ ip }: { ip: string }) => ip.split('.').at(-1))
      expect([path, query, shown, list.totalSize]).toEqual([path, query, ips, totalSize])
      const usable = query.includes('usable') ? 'usable=true&' : ''
      expect(list.links[0].href).toMatch(`${centerPath(center.id)}/${path}?${usable}limit=`)
    }
  })
})

test('NAT-IP-0, VDC-0: a malformed id names nothing', async () => {
  const { center } = await newPair()
  for (const path of [natIps(center.id), `${natIps(center.id)}/topurchase`, `${natIps(center.id)}/purchased`])
    expect(await refusal(call('PUT', `${path}/abc`, { body: { defaultSnat: true } }))).toEqual([
      404,
      'NAT-IP-0',
    ])
  expect(await codesOf(call('GET', '/api/cloud/virtualdatacenters/abc/natips/1'))).toEqual(['VDC-0'])
})

test('usable=true leaves out IPs with rules or in quarantine', async () => {
  const machine = await newMachineWithIps()
  await attachIp(machine.network, machine.center, '192.0.2.3')
  const [ruled, sick] = machine.natIps
  await expectStatus(
    201,
    call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: true }, { natIp: ruled }) }),
  )
  await expectStatus(200, call('PUT', `${ipsPath(machine.network)}/${sick}`, { body: { quarantine: true } }))
  expect(await addresses(natIps(machine.center))).toEqual(['1', '2', '3'])
  expect(await addresses(`${natIps(machine.center)}?usable=true`)).toEqual(['3'])
  expect(await addresses(`${natIps(machine.center)}?by=quarantine&asc=false&limit=1`)).toEqual(['2'])
  expect(await addresses(`${natIps(machine.center)}?has=2.3`)).toEqual(['3'])
})

test('the IPs of a virtual datacenter are hidden with it', async () => {
  const { network, center } = await newPair()
  const id = await attachIp(network, center.id, '192.0.2.1')
  const scope = await newScope({ datacenters: [network.datacenter] })
  const as = await newUser({ scopeId: scope.id, privileges: allPrivileges })
  for (const path of [natIps(center.id), `${natIps(center.id)}/${id}`, `${natIps(center.id)}/topurchase`])
    expect(await refusal(call('GET', path, { as }))).toEqual([404, 'VDC-0'])
  expect(await refusal(call('PUT', releasePath(center.id, id), { as }))).toEqual([404, 'VDC-0'])
})

describe('the NAT IPs on which a port can be published', () => {
  test('have no rule for it: ANY is every protocol, and no port every port', async () => {
    const machine = await newMachineWithIps()
    const free = (freefor: string) => addresses(`${natIps(machine.center)}?freefor=${freefor}`)
    const make = (rule: object) =>
      expectStatus(
        201,
        call('POST', `${machine.path}/natrules`, { body: ruleBody(machine, { snat: false, ...rule }) }),
      )
    const remove = ({ links }: { links: { rel: string; href: string }[] }) =>
      expectStatus(204, call('DELETE', links.find(({ rel }) => rel === 'self')?.href ?? ''))
    expect(await free('TCP:443')).toEqual(['1', '2'])
    const one = await make({ protocol: 'TCP', originalPort: 443, translatedPort: 8443 })
    expect([await free('TCP:443'), await free('UDP:443'), await free('TCP:444')]).toEqual([
      ['2'],
      ['1', '2'],
      ['1', '2'],
    ])
    await remove(one)
    const any = await make({ protocol: 'ANY', originalPort: 443, translatedPort: 443 })
    expect([await free('UDP:443'), await free('UDP:444')]).toEqual([['2'], ['1', '2']])
    await remove(any)
    await make({ protocol: 'UDP' })
    expect([await free('UDP:9'), await free('TCP:9')]).toEqual([['2'], ['1', '2']])
    await make({ snat: true })
    expect(await free('TCP:9')).toEqual(['1', '2'])
    await expectStatus(
      200,
      call('PUT', `${ipsPath(machine.network)}/${machine.natIps[1]}`, { body: { quarantine: true } }),
    )
    expect(await free('TCP:9')).toEqual(['1'])
    for (const wrong of ['ANY:443', 'TCP', 'TCP:0', 'tcp:443', 'TCP:443x'])
      expect(await refusal(call('GET', `${natIps(machine.center)}?freefor=${wrong}`))).toEqual([
        400,
        'GEN-22',
      ])
  })
})

describe('the NAT IPs of all virtual datacenters', () => {
  test('are those that visible virtual datacenters hold, and their rules are read there', async () => {
    const [one, two] = [await newMachineWithIps(), await newMachineWithIps()]
    const body = ruleBody(one, { snat: false, protocol: 'TCP', originalPort: 80, translatedPort: 80 })
    const rule = await expectStatus(201, call('POST', `${one.path}/natrules`, { body }))
    const { id: scopeId } = await newScope({
      enterprises: [one.enterprise],
      datacenters: [one.network.datacenter, two.network.datacenter],
    })
    const as = await newUser({ privileges: ['VDC_ENUMERATE'], scopeId })
    const held = async (query: string) =>
      (await expectStatus(200, call('GET', `/api/cloud/natips?${query}`, { as }))).collection.map(
        ({ id }: { id: number }) => id,
      )
    expect(await held('')).toEqual([...one.natIps])
    expect(await held('within=192.0.2.2')).toEqual([one.natIps[1]])
    expect(await held(`virtualdatacenter=${one.center}`)).toEqual([...one.natIps])
    expect(await held(`virtualdatacenter=${two.center}`)).toEqual([])
    const rulesOf = (center: number, ip: number) => call('GET', `${natIps(center)}/${ip}/rules`, { as })
    expect((await expectStatus(200, rulesOf(one.center, one.natIps[0]))).collection).toEqual([rule])
    expect((await expectStatus(200, rulesOf(one.center, one.natIps[1]))).collection).toEqual([])
    expect(await refusal(rulesOf(two.center, two.natIps[0]))).toEqual([404, 'VDC-0'])
    expect(await refusal(rulesOf(one.center, two.natIps[0]))).toEqual([404, 'NAT-IP-0'])
    const without = await newUser({ privileges: ['VDC_MANAGE'] })
    expect((await call('GET', '/api/cloud/natips', { as: without })).status).toBe(403)
  })
})
