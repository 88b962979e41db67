import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { elementsOf } from '#lib/gateway/desired'
import { differenceOf, type Element, type Translation } from '#lib/gateway/elements'
import { canonical } from '#lib/gateway/networks'
import { apply, prepare } from '#lib/gateway/nft'
import { hopsOf, type Packet } from '#lib/gateway/packet'
import { Lab, machines, obstacle, sixes } from '#lib/tools/testing/gateway/lab'

/*
 * Compares explanations with what the kernel does to 10,000 random packets: the table of connections shows where each one goes. Nobody answers
 * them.
 */

const reason = obstacle()
if (reason !== undefined)
  process.stdout.write(`The test of explanations against connections is skipped: ${reason}\n`)

const ROUNDS = 25
const PACKETS = 400

const families = [
  {
    natIps: ['203.0.113.1', '203.0.113.2'],
    inside: Object.values(machines),
    clients: ['198.51.100.2', '198.51.100.77', '198.51.100.130', '198.51.100.201'],
    sources: [
      '198.51.100.0/26',
      '198.51.100.128/25',
      '198.51.100.77/32',
      '0.0.0.0/0',
      '10.0.0.0/8',
      '198.51.100.200/31',
    ],
  },
  {
    natIps: ['2001:db8::1', '2001:db8::2'],
    inside: Object.values(sixes),
    clients: ['fd00:51::2', 'fd00:51::77', 'fd00:51::8000', 'fd00:51::1:2'],
    sources: [
      'fd00:51::/112',
      'fd00:51::8000/113',
      'fd00:51::77/128',
      '::/0',
      '2001::/16',
      'fd00:51::1:0/112',
    ],
  },
] as const
type Side = (typeof families)[number]

const port = fc.integer({ min: 1000, max: 1040 })

/** Rules that may contradict each other: then the later one is refused. */
const ruleOf = ({ natIps, inside, sources }: Side): fc.Arbitrary<Translation> =>
  fc
    .record({
      natIp: fc.constantFrom(...natIps),
      privateIp: fc.constantFrom(...inside),
      protocol: fc.constantFrom('TCP' as const, 'UDP' as const, 'ANY' as const),
      ports: fc.oneof(
        { weight: 4, arbitrary: fc.tuple(port, fc.constantFrom(0, 0, 1, 5, 15), fc.boolean()) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
      sources: fc.oneof(fc.constant(undefined), fc.subarray([...sources], { minLength: 1, maxLength: 4 })),
    })
    .map(({ ports, sources: allowed, ...rest }) => {
      const [natPort, more, keeps] = ports ?? []
      return {
        kind: 'dnat' as const,
        ...rest,
        ...(natPort !== undefined && { natPort, privatePort: keeps ? natPort : 7000 }),
        ...(natPort !== undefined && more ? { natPortEnd: natPort + more } : {}),
        ...(allowed && { sources: allowed }),
      }
    })

const rules = fc
  .array(fc.oneof(...families.map(ruleOf)), { minLength: 5, maxLength: 30 })
  .map((all) => all.map((each, index) => ({ ...each, rule: index + 1 })))

const packetOf = ({ natIps, clients }: Side): fc.Arbitrary<Packet> =>
  fc.record({
    from: fc.constantFrom(...clients),
    to: fc.constantFrom(...natIps),
    protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
    port: fc.integer({ min: 998, max: 1060 }),
  })

const packets = fc.array(fc.oneof(...families.map(packetOf)), { minLength: PACKETS, maxLength: PACKETS })

const written = ({ protocol, from, to, port: asked }: Packet): string =>
  `${protocol} ${from} → ${to} ${asked}`

/** Where each translated packet goes: the address and the port. */
function predicted(elements: ReadonlyMap<string, Element>, all: readonly Packet[]): Map<string, string> {
  const gone = all.flatMap((packet): [string, string][] => {
    const [hop] = hopsOf(elements, packet)
    return hop ? [[written(packet), `${hop.address} ${hop.port ?? packet.port}`]] : []
  })
  return new Map(gone)
}

/** As the kernel's connections show it. */
function translated(listed: string): Map<string, string> {
  const lines = listed.split('\n').flatMap((line): [string, string][] => {
    const protocol = /\b(tcp|udp)\b/.exec(line)?.[1]
    const all = (name: string) =>
      [...line.matchAll(new RegExp(`\\b${name}=(\\S+)`, 'g'))].map(([, value = '']) => value)
    const [[from = '', server = ''], [to = ''], [, port = ''], [asked = '']] = [
      all('src'),
      all('dst'),
      all('sport'),
      all('dport'),
    ]
    if (protocol === undefined) return []
    const packet = {
      protocol: protocol.toUpperCase() as 'TCP',
      from: canonical(from),
      to: canonical(to),
      port: Number(asked),
    }
    return [[written(packet), `${canonical(server)} ${port}`]]
  })
  return new Map(lines)
}

const sorted = (all: ReadonlyMap<string, string>) => [...all].map(([packet, to]) => `${packet}: ${to}`).sort()

describe.skipIf(reason !== undefined)('in network namespaces', () => {
  let lab: Lab
  const place = () => ({ enter: ['ip', 'netns', 'exec', lab.name('gateway')], table: 'cloud_nat_lookup' })

  beforeAll(async () => {
    lab = await Lab.make()
    for (const { clients } of families)
      for (const address of clients.slice(1))
        lab.run('client', `ip addr add ${address}/${address.includes(':') ? '64 nodad' : '24'} dev eth0`)
    for (const node of ['one', 'two'] as const)
      lab.run(
        node,
        `nft 'add table inet silent; add chain inet silent in { type filter hook input priority 0; }; add rule inet silent in meta l4proto { tcp, udp } drop'`,
      )
    await prepare(place())
  })
  afterAll(() => lab.remove())

  const listed = () =>
    ['ipv4', 'ipv6']
      .map((version) => lab.run('gateway', `conntrack -L -o extended -f ${version} 2>/dev/null`))
      .join('\n')

  test('10,000 random packets go where the explanation predicts', async () => {
    let before: ReadonlyMap<string, Element> = new Map()
    let hits = 0
    await fc.assert(
      fc.asyncProperty(rules, packets, async (all, sent) => {
        const { elements } = elementsOf(all)
        await apply(place(), differenceOf(before, elements))
        before = elements
        const send = () => {
          lab.run('gateway', 'conntrack -F')
          return lab.send(
            'client',
            sent.map(({ from, to, protocol, port: asked = 0 }) => ({ from, to, protocol, port: asked })),
          )
        }
        const expected = predicted(elements, sent)
        hits += sent.filter((packet) => expected.has(written(packet))).length
        await send()
        const arrived = async () => {
          const found = sorted(translated(listed()))
          // A packet of the round before may come late. One that is translated against the prediction is so again.
          if (found.length > expected.size) await send()
          return found
        }
        await expect.poll(arrived, { timeout: 5000 }).toEqual(sorted(expected))
      }),
      { numRuns: ROUNDS, endOnFailure: true },
    )
    expect(hits).toBeGreaterThan((ROUNDS * PACKETS) / 10)
  }, 180_000)
})
