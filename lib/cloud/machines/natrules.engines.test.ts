import { describe, expect, test } from 'vitest'
import { call, codesOf, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { eventsOf, machinesPath, newAppliance, newPrivateIp, nicLink } from '#lib/tools/testing/inventory'
import { ipOf, networksPath } from '#lib/tools/testing/nat'
import { dnat, ipsPath, type MachineWithIps, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { refusal } from '#lib/tools/testing/refusal'

const post = (machine: MachineWithIps, body: unknown) => call('POST', `${machine.path}/natrules`, { body })

const rulesOf = async (machine: MachineWithIps) =>
  (await expectStatus(200, call('GET', `${machine.path}/natrules`))).collection

const counted = async ({ network }: MachineWithIps) =>
  (await expectStatus(200, call('GET', `${networksPath(network.datacenter)}/${network.id}`))).rules

describe('a NAT rule of a machine', () => {
  test('leads from the private IP to the NAT IP without ports for SNAT, and the other way round for DNAT', async () => {
    const machine = await newMachineWithIps()
    const response = await post(machine, ruleBody(machine, { snat: true }))
    const snat = await expectStatus(201, response)
    expect(response.headers.get('location')).toBe(`${ORIGIN}${machine.path}/natrules/${snat.id}`)
    const ends = (rule: typeof snat) =>
      Object.fromEntries(rule.links.map(({ rel, title }: { rel: string; title?: string }) => [rel, title]))
    expect(ends(snat)).toMatchObject({
      original: '10.0.0.1',
      translated: '192.0.2.1',
      virtualmachine: 'Machine',
    })
    expect(snat).not.toHaveProperty('protocol')
    const made = await expectStatus(201, post(machine, ruleBody(machine, dnat(443, 8443, 'tcp'))))
    expect(ends(made)).toMatchObject({ original: '192.0.2.1', translated: '10.0.0.1' })
    expect(made).toMatchObject({ snat: false, protocol: 'TCP', originalPort: 443, translatedPort: 8443 })
    const every = await expectStatus(
      201,
      post(machine, ruleBody(machine, { snat: false, protocol: 'ANY' }, { natIp: machine.natIps[1] })),
    )
    expect(every).not.toHaveProperty('originalPort')
    expect(await rulesOf(machine)).toHaveLength(3)
    expect(await expectStatus(200, call('GET', `${machine.path}/natrules/${made.id}`))).toEqual(made)
    expect(await counted(machine)).toBe(3)
  })

  test('is deleted with 204, then NAT-RULE-0; the totals and events are correct', async () => {
    const machine = await newMachineWithIps()
    const { id } = await expectStatus(201, post(machine, ruleBody(machine, dnat(80))))
    const path = `${machine.path}/natrules/${id}`
    await expectStatus(204, call('DELETE', path))
    expect(await codesOf(call('GET', path))).toEqual(['NAT-RULE-0'])
    expect([await rulesOf(machine), await counted(machine)]).toEqual([[], 0])
    const events = await eventsOf('natrule', id)
    expect(events.map(({ action }: { action: string }) => action)).toEqual(['create', 'delete'])
    expect(events[0].changes.original.after).toMatch(/^192\.0\.2\.1 \(\d+\)$/)
  })

  test.each<[string, object, string[]]>([
    ['SNAT with ports', { snat: true, originalPort: 1, translatedPort: 1 }, ['NAT-RULE-15 snat']],
    ['SNAT with one port', { snat: true, originalPort: 1 }, ['NAT-RULE-15 snat']],
    ['SNAT with the other port', { snat: true, translatedPort: 1 }, ['NAT-RULE-15 snat']],
    ['SNAT with a protocol', { snat: true, protocol: 'TCP' }, ['NAT-RULE-15 snat']],
    [
      'DNAT with one port',
      { snat: false, protocol: 'TCP', originalPort: 80 },
      ['NAT-RULE-10 translatedPort'],
    ],
    [
      'DNAT with the other port',
      { snat: false, protocol: 'TCP', translatedPort: 80 },
      ['NAT-RULE-10 originalPort'],
    ],
    ['DNAT of another protocol', { ...dnat(80), protocol: 'ICMP' }, ['NAT-RULE-13 protocol']],
    ['DNAT without a protocol', { snat: false }, ['CONSTR-NOTNULL protocol']],
    ['a rule without ends', { snat: true, links: [] }, ['NAT-RULE-1 original', 'NAT-RULE-2 translated']],
    ['links that are no list', { snat: true, links: {} }, ['GEN-3 links']],
    ['port 0', dnat(0, 80), ['CONSTR-MIN originalPort']],
    ['a port above 65535', dnat(80, 65_536), ['CONSTR-MAX translatedPort']],
    [
      'two faults',
      { snat: false, protocol: 'ICMP', originalPort: 80 },
      ['NAT-RULE-10 translatedPort', 'NAT-RULE-13 protocol'],
    ],
  ])('%s is refused at its field', async (_, rule, faults) => {
    const machine = await newMachineWithIps()
    const body = { ...ruleBody(machine, rule as { snat: boolean }), ...rule }
    const { collection } = await expectStatus(400, post(machine, body))
    const reported = collection.map(({ code, field }: { code: string; field?: string }) => `${code} ${field}`)
    expect(reported.sort()).toEqual(faults)
    for (const { message } of collection) expect(message).toMatch(/^\w.{9}/)
  })

  test('NAT-RULE-1 and NAT-RULE-2: must have both ends, of the right type', async () => {
    const machine = await newMachineWithIps()
    const { links, ...fields } = ruleBody(machine, { snat: true })
    expect(await refusal(post(machine, fields))).toEqual([400, 'NAT-RULE-1', 'NAT-RULE-2'])
    expect(await refusal(post(machine, { ...fields, links: links.slice(0, 1) }))).toEqual([400, 'NAT-RULE-1'])
    expect(await refusal(post(machine, { ...fields, links: links.slice(1) }))).toEqual([400, 'NAT-RULE-2'])
    expect(await refusal(post(machine, { ...fields, snat: false, protocol: 'ANY', links }))).toEqual([
      400,
      'NAT-RULE-1',
      'NAT-RULE-2',
    ])
    expect(await refusal(post(machine, { ...fields, links: [...links, { rel: 'x' }] }))).toEqual([
      400,
      'LINK-1',
    ])
  })

  test('GEN-3, LINK-0 and LINK-1: must have sound links; others are ignored', async () => {
    const machine = await newMachineWithIps()
    const { links, ...fields } = ruleBody(machine, { snat: true })
    const href = links[0]?.href
    for (const [sent, ...codes] of [
      [{}, 'GEN-3'],
      ['links', 'GEN-3'],
      [null, 'NAT-RULE-1', 'NAT-RULE-2'],
      [['link'], 'LINK-0'],
      [[null], 'LINK-0'],
      [[{ href }], 'LINK-0'],
      [[{ rel: '', href }], 'LINK-0'],
      [[{ rel: 7, href }], 'LINK-0'],
      [[{ rel: 'original', href: '' }], 'LINK-1'],
      [[{ rel: 'original', href: 7 }], 'LINK-1'],
    ] as const)
      expect([sent, ...(await refusal(post(machine, { ...fields, links: sent })))]).toEqual([
        sent,
        400,
        ...codes,
      ])
    const held = `${ORIGIN}/api/cloud/virtualdatacenters/${machine.center}/natips/${machine.natIps[0]}`
    const others = [
      { rel: 'device', href },
      { rel: 'translated', href: held },
    ]
    await expectStatus(201, post(machine, { ...fields, links: [...links.slice(1), ...others] }))
  })

  test('may have the lowest and the highest port', async () => {
    const machine = await newMachineWithIps()
    for (const rule of [dnat(1, 65_535), dnat(65_535, 1)])
      expect(await expectStatus(201, post(machine, ruleBody(machine, rule)))).toMatchObject(rule)
  })

  test('NAT-RULE-3: must have a unique original port and protocol on its NAT IP; ANY means every protocol, no port every port', async () => {
    const machine = await newMachineWithIps()
    await expectStatus(201, post(machine, ruleBody(machine, dnat(80))))
    for (const rule of [
      dnat(80, 8080),
      dnat(80, 80, 'ANY'),
      { snat: false, protocol: 'TCP' },
      { snat: false, protocol: 'ANY' },
    ])
      expect(await refusal(post(machine, ruleBody(machine, rule)))).toEqual([409, 'NAT-RULE-3'])
    await expectStatus(201, post(machine, ruleBody(machine, dnat(80, 80, 'UDP'))))
    await expectStatus(201, post(machine, ruleBody(machine, dnat(81))))
    await expectStatus(201, post(machine, ruleBody(machine, dnat(80), { natIp: machine.natIps[1] })))
  })

  test('NAT-RULE-14: must be the only SNAT rule of its private IP', async () => {
    const machine = await newMachineWithIps()
    await expectStatus(201, post(machine, ruleBody(machine, { snat: true })))
    const [, natIp] = machine.natIps
    expect(await refusal(post(machine, ruleBody(machine, { snat: true }, { natIp })))).toEqual([
      409,
      'NAT-RULE-14',
    ])
    const [, privateIp] = machine.privateIps
    await expectStatus(201, post(machine, ruleBody(machine, { snat: true }, { privateIp })))
  })

  test('NAT-RULE-11 and PRIVATEIP-0: must have a private IP of this machine', async () => {
    const machine = await newMachineWithIps()
    const free = await newPrivateIp(machine.center, '10.0.0.9')
    expect(await refusal(post(machine, ruleBody(machine, { snat: true }, { privateIp: free })))).toEqual([
      409,
      'NAT-RULE-11',
    ])
    const appliance = await newAppliance({ center: machine.center })
    const links = [nicLink(0, machine.center, free)]
    await expectStatus(
      201,
      call('POST', machinesPath(machine.center, appliance.id), { body: { name: 'Other', links } }),
    )
    expect(await refusal(post(machine, ruleBody(machine, { snat: true }, { privateIp: free })))).toEqual([
      409,
      'NAT-RULE-11',
    ])
    expect(await refusal(post(machine, ruleBody(machine, { snat: true }, { privateIp: 999999999 })))).toEqual(
      [404, 'PRIVATEIP-0'],
    )
  })

  test('NAT-RULE-12, NAT-IP-8 and NAT-IP-0: must have an attached NAT IP that is not in quarantine', async () => {
    const machine = await newMachineWithIps()
    const { id } = await ipOf(machine.network, '192.0.2.5')
    expect(await refusal(post(machine, ruleBody(machine, { snat: true }, { natIp: id })))).toEqual([
      409,
      'NAT-IP-8',
    ])
    expect(await refusal(post(machine, ruleBody(machine, { snat: true }, { natIp: 999999999 })))).toEqual([
      404,
      'NAT-IP-0',
    ])
    await expectStatus(
      200,
      call('PUT', `${ipsPath(machine.network)}/${machine.natIps[0]}`, { body: { quarantine: true } }),
    )
    expect(await refusal(post(machine, ruleBody(machine, { snat: true })))).toEqual([409, 'NAT-RULE-12'])
  })

  test('is created once if several requests use the same port at once', async () => {
    const machine = await newMachineWithIps()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(machine, ruleBody(machine, dnat(22)))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    expect(await counted(machine)).toBe(1)
  })

  test('can be written in XML', async () => {
    const machine = await newMachineWithIps()
    const { links, ...fields } = ruleBody(machine, dnat(80, 8080))
    const text = `<natrule>${links.map(({ rel, href }) => `<link rel="${rel}" href="${href}"/>`).join('')}${Object.entries(
      fields,
    )
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')}</natrule>`
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const xml = await expectStatus(201, call('POST', `${machine.path}/natrules`, { body: text, headers }))
    expect(xml).toMatch(
      /<natrule><link .*<snat>false<\/snat><protocol>TCP<\/protocol><originalPort>80<\/originalPort>/,
    )
  })
})

describe('the NAT rules in the document of a machine', () => {
  const put = async (
    machine: MachineWithIps,
    natrules: object[] | undefined,
    as?: Awaited<ReturnType<typeof newUser>>,
  ) => {
    const document = await expectStatus(200, call('GET', machine.path))
    const { natrules: _old, ...others } = document
    return call('PUT', machine.path, {
      body: { ...others, ...(natrules && { natrules }) },
      ...(as && { as }),
    })
  }

  test('are replaced as a whole; unchanged ones keep their ids', async () => {
    const machine = await newMachineWithIps()
    const two = [ruleBody(machine, { snat: true }), ruleBody(machine, dnat(80))]
    const { natrules } = await expectStatus(200, put(machine, two))
    expect(natrules).toHaveLength(2)
    const changed = await expectStatus(200, put(machine, [natrules[1], ruleBody(machine, dnat(81))]))
    expect(changed.natrules.map(({ id }: { id: number }) => id)).toContain(natrules[1].id)
    expect(changed.natrules.map(({ id }: { id: number }) => id)).not.toContain(natrules[0].id)
    expect(await counted(machine)).toBe(2)
    const swapped = [ruleBody(machine, dnat(80, 8081)), ruleBody(machine, dnat(81, 8080))]
    await expectStatus(200, put(machine, swapped))
    expect((await expectStatus(200, put(machine, undefined))).natrules).toEqual([])
    expect(await counted(machine)).toBe(0)
  })

  test('are refused together with all faults, and then none is changed', async () => {
    const machine = await newMachineWithIps()
    await expectStatus(200, put(machine, [ruleBody(machine, dnat(80))]))
    const repeated = ruleBody(machine, dnat(90))
    expect(await refusal(put(machine, [repeated, repeated]))).toEqual([409, 'NAT-RULE-3'])
    const many = [
      ruleBody(machine, { snat: true }, { natIp: 999999999 }),
      ruleBody(machine, dnat(99), { privateIp: 999999999 }),
    ]
    expect(await refusal(put(machine, many))).toEqual([404, 'NAT-IP-0', 'PRIVATEIP-0'])
    expect(await refusal(put(machine, [{ snat: false, protocol: 'ICMP' }]))).toEqual([
      400,
      'NAT-RULE-1',
      'NAT-RULE-2',
      'NAT-RULE-13',
    ])
    expect(
      (await rulesOf(machine)).map(({ originalPort }: { originalPort: number }) => originalPort),
    ).toEqual([80])
  })

  test('require VAPP_CUSTOMISE_SETTINGS if they change; the rest of the machine does not', async () => {
    const machine = await newMachineWithIps()
    const [rule] = (await expectStatus(200, put(machine, [ruleBody(machine, dnat(80))]))).natrules
    const as = await newUser({ privileges: ['VDC_MANAGE_VAPP'] })
    expect((await put(machine, [rule], as)).status).toBe(200)
    expect((await put(machine, [], as)).status).toBe(403)
    const both = await newUser({ privileges: ['VDC_MANAGE_VAPP', 'VAPP_CUSTOMISE_SETTINGS'] })
    expect((await put(machine, [], both)).status).toBe(200)
  })

  test('are deleted with the machine', async () => {
    const machine = await newMachineWithIps()
    await expectStatus(200, put(machine, [ruleBody(machine, dnat(80)), ruleBody(machine, { snat: true })]))
    await expectStatus(204, call('DELETE', machine.path))
    expect(await counted(machine)).toBe(0)
    const allrules = `${networksPath(machine.network.datacenter)}/action/allrules`
    expect((await expectStatus(200, call('GET', allrules))).totalSize).toBe(0)
  })

  test('are in the event of the machine, with removed and added rules', async () => {
    const machine = await newMachineWithIps()
    const { id } = await expectStatus(200, put(machine, [ruleBody(machine, dnat(80))]))
    const event = (await eventsOf('virtualmachine', id)).at(-1)
    expect(event.action).toBe('update')
    expect(event.changes.natrules.after).toContain('"originalPort":"80"')
    expect(event.changes.natrules).not.toHaveProperty('before')
  })
})
