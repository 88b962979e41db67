import { describe, expect, test } from 'vitest'
import { allPrivileges } from '#lib/auth/privileges'
import { call, codesOf, expectStatus, newUser } from '#lib/testing/client'
import { centerPath, eventsOf, newCenter } from '#lib/testing/inventory'
import { ipOf, type Network, networksPath } from '#lib/testing/nat'
import {
  attachIp,
  attachPath,
  ipsPath,
  newMachineWithIps,
  newTenIps,
  releasePath,
  ruleBody,
} from '#lib/testing/nat-rules'
import { refusal } from '#lib/testing/refusal'
import { newScope } from '#lib/testing/scopes'

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

  test('ends with the virtual datacenter, whose deletion releases its IPs (docs/api.md, "Virtual datacenters")', async () => {
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
