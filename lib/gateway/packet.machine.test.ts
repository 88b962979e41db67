import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { elementsOf } from '#lib/gateway/desired'
import { differenceOf, type Element, type Translation } from '#lib/gateway/elements'
import { apply, prepare } from '#lib/gateway/nft'
import { hopsOf, type Packet } from '#lib/gateway/packet'
import { Lab, machines, obstacle } from '#lib/tools/testing/gateway/lab'

/* Compares explanations with packets in network namespaces. */

const reason = obstacle()
if (reason !== undefined)
  process.stdout.write(`The test of explanations against packets is skipped: ${reason}\n`)

const CLIENT = '198.51.100.2'
/** The gateway's address in the network of the machines. */
const GATEWAY = '192.168.0.1'
const senders = { client: CLIENT, ...machines } as const
type Sender = keyof typeof senders

const natIp = fc.constantFrom('203.0.113.1', '203.0.113.2')
const privateIp = fc.constantFrom<string>(...Object.values(machines))
const protocol = fc.constantFrom('TCP' as const, 'UDP' as const)
const natPort = fc.constantFrom(80, 81)

/** Machines listen on ports 80 and 8000, and the client on 8001. */
const translation: fc.Arbitrary<Translation> = fc.oneof(
  fc.record({
    kind: fc.constant('dnat' as const),
    protocol: fc.oneof(protocol, fc.constant('ANY' as const)),
    natIp,
    natPort,
    privateIp,
    privatePort: fc.constantFrom(80, 8000),
  }),
  fc.record({
    kind: fc.constant('dnat' as const),
    protocol: fc.oneof(protocol, fc.constant('ANY' as const)),
    natIp,
    privateIp,
  }),
  fc.record({ kind: fc.constantFrom('snat' as const, 'default' as const), natIp, privateIp }),
)

const translations = fc
  .array(translation, { maxLength: 7 })
  .map((all) => all.map((each, index) => (each.kind === 'default' ? each : { ...each, rule: index + 1 })))

type Sent = Packet & { protocol: 'TCP' | 'UDP'; port: number; sender: Sender }

const packet: fc.Arbitrary<Sent> = fc
  .record({
    sender: fc.constantFrom<Sender>('client', 'one', 'two'),
    protocol,
    goal: fc.oneof(fc.tuple(natIp, natPort), fc.constant([CLIENT, 8001] as const)),
  })
  .map(({ sender, protocol, goal: [to, port] }) => ({ sender, from: senders[sender], protocol, to, port }))

const listens = (name: string | undefined, port: number): boolean =>
  name === 'client' ? port === 8001 : port === 80 || port === 8000

/** The answer that the explanation predicts: the machine, the port, and the source that it sees. */
function expected(
  elements: ReadonlyMap<string, Element>,
  { from, to, port, sender, protocol }: Sent,
): string {
  const hops = hopsOf(elements, { from, to, port, protocol })
  const destination = hops.find(({ kind }) => kind === 'dnat')
  const source = hops.find(({ kind }) => kind !== 'dnat')
  const address = destination?.address ?? to
  const [name] = Object.entries(senders).find(([, own]) => own === address) ?? []
  const arrived = destination?.port ?? port
  if (name === undefined || !listens(name, arrived)) return 'silent'
  // A packet to oneself does not pass the gateway.
  if (!destination && name === sender) return `${name}:${arrived} from ${from}`
  // The answer goes straight to a neighbour on the segment, from an address that the neighbour never called.
  if (!source && protocol === 'TCP' && name !== 'client' && sender !== 'client') return 'silent'
  return `${name}:${arrived} from ${source?.kind === 'masquerade' ? GATEWAY : (source?.address ?? from)}`
}

test('ports come before protocols, and protocols before whole addresses', () => {
  const { elements } = elementsOf([
    { kind: 'dnat', rule: 1, protocol: 'ANY', natIp: '203.0.113.1', privateIp: '10.0.0.1' },
    { kind: 'dnat', rule: 2, protocol: 'TCP', natIp: '203.0.113.1', privateIp: '10.0.0.2' },
    {
      kind: 'dnat',
      rule: 3,
      protocol: 'TCP',
      natIp: '203.0.113.1',
      natPort: 80,
      privateIp: '10.0.0.3',
      privatePort: 8000,
    },
  ])
  const to = (more: Pick<Packet, 'protocol' | 'port'>) =>
    hopsOf(elements, { from: CLIENT, to: '203.0.113.1', ...more }).map(({ rule, port }) => [rule, port])
  expect(to({ protocol: 'TCP', port: 80 })).toEqual([[3, 8000]])
  expect(to({ protocol: 'TCP', port: 81 })).toEqual([[2, undefined]])
  expect(to({ protocol: 'UDP', port: 80 })).toEqual([[1, undefined]])
  expect(to({ protocol: 'ANY' })).toEqual([[1, undefined]])
})

test('addresses of IPv6 have one form, and a machine that calls itself is masqueraded', () => {
  const { elements } = elementsOf([
    { kind: 'dnat', rule: 1, protocol: 'ANY', natIp: '2001:db8::1', privateIp: 'fd00::10' },
  ])
  expect(hopsOf(elements, { from: 'fd00:0::10', to: '2001:DB8:0::1', protocol: 'UDP', port: 1 })).toEqual([
    { kind: 'dnat', rule: 1, address: 'fd00::10' },
    { kind: 'masquerade' },
  ])
})

describe.skipIf(reason !== undefined)('in network namespaces', () => {
  let lab: Lab
  const place = () => ({ enter: ['ip', 'netns', 'exec', lab.name('gateway')], table: 'cloud_nat_explained' })

  beforeAll(async () => {
    lab = await Lab.make()
    await lab.serve('client', [8001])
    await prepare(place())
  })
  afterAll(() => lab.remove())

  const answer = ({ sender, protocol, to, port }: Sent): Promise<string> =>
    protocol === 'TCP' ? lab.get(sender, { host: to, port }) : lab.datagram(sender, { host: to, port })

  test('random packets through random translations arrive as the explanation predicts', async () => {
    let before: ReadonlyMap<string, Element> = new Map()
    await fc.assert(
      fc.asyncProperty(
        translations,
        fc.array(packet, { minLength: 6, maxLength: 6 }),
        async (all, packets) => {
          const { elements } = elementsOf(all)
          await apply(place(), differenceOf(before, elements))
          before = elements
          lab.run('gateway', 'conntrack -F')
          const arrived = await Promise.all(packets.map(answer))
          expect(arrived).toEqual(packets.map((each) => expected(elements, each)))
        },
      ),
      { numRuns: 12, endOnFailure: true, interruptAfterTimeLimit: 15_000 },
    )
  }, 30_000)
})
