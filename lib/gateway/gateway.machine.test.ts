import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, type TestContext, test } from 'vitest'
import { elementsOf } from '#lib/gateway/desired'
import { differenceOf, type Translation } from '#lib/gateway/elements'
import { apply, findRefused, prepare, readBack } from '#lib/gateway/nft'
import { FakeApi } from '#lib/tools/testing/gateway/fake-api'
import { Lab, machines, obstacle, sixes } from '#lib/tools/testing/gateway/lab'

/* The gateway as a process in a network namespace, tested with packets. */

const reason = obstacle()
if (reason !== undefined) process.stdout.write(`The tests of the gateway are skipped: ${reason}\n`)

const run = join(import.meta.dirname, '../tools/scripts/run.js')
const NAT = '203.0.113.1'

const dnat = (rule: number, more: Partial<Translation> = {}): Translation => ({
  kind: 'dnat',
  rule,
  protocol: 'TCP',
  natIp: NAT,
  natPort: 80,
  privateIp: machines.one,
  privatePort: 8000,
  ...more,
})

const withoutPorts = { natPort: undefined, privatePort: undefined }
const FROM_CLIENT = 'one:8000 from 198.51.100.2'

/** As many rules as asked for, each with an element of its own. */
const many = (count: number, privatePort = 8000): Translation[] =>
  Array.from({ length: count }, (_, index) =>
    dnat(index + 1, {
      natIp: `203.0.${113 + Math.floor(index / 50_000)}.${1 + (index % 5)}`,
      natPort: 80 + (Math.floor(index / 5) % 10_000),
      privatePort,
    }),
  )

/** The relay in each lab listens here. */
const RELAYED = 9000
const labs: Lab[] = []
const free: Lab[] = []
let device = 0

/** A lab in which no other test is at work. */
async function takeLab(): Promise<Lab> {
  const left = free.pop()
  if (left) return left
  const made = await Lab.make()
  labs.push(made)
  await made.relay(RELAYED, FakeApi.socketOf(made.name('gateway')))
  return made
}

/** A gateway of a new device in a new lab, and the actions of a test on both. */
function trialIn(lab: Lab, expect: TestContext['expect']) {
  device += 1
  const own = device
  let api: FakeApi | undefined
  let gateway: ChildProcess | undefined
  let heard = ''

  const place = () => ({ enter: ['ip', 'netns', 'exec', lab.name('gateway')], table: `cloud_nat_${own}` })

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = gateway
    gateway = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const exit = once(child, 'exit')
    child.kill(signal)
    return (await exit)[0]
  }

  function start(...more: string[]): void {
    const address = `http://127.0.0.1:${RELAYED}/api`
    const words = [process.execPath, run, 'gateway', '--api', address, '--device', String(own)]
    const child = lab.start('gateway', [...words, '--interval', '1', ...more], {
      env: { GATEWAY_TOKEN: 'sat_test' },
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (heard += piece))
    gateway = child
  }

  /** Starts the gateway, and returns the API that it asks. */
  async function begin(entries: Translation[], ...more: string[]): Promise<FakeApi> {
    api = await FakeApi.start(entries, FakeApi.socketOf(lab.name('gateway')))
    start(...more)
    return api
  }

  /** Restores the initial state of the lab. */
  async function end(): Promise<void> {
    await stop('SIGTERM')
    await api?.stop()
    const { table } = place()
    lab.run('gateway', 'conntrack -F')
    for (const family of ['ip', 'ip6'])
      lab.run('gateway', `nft "add table ${family} ${table}; delete table ${family} ${table}"`)
    lab.run('gateway', 'ip addr flush dev wan to 203.0.113.0/24')
    lab.run('gateway', 'ip -6 addr flush dev wan to 2001:db8::/64')
  }

  const said = () => heard
  /**
   * The limit allows for a busy machine; docs/gateway.md has the measured times. Each poll starts a program, so frequent polls would take
   * the processor from the gateway.
   */
  const soon = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 100, message: heard })
  /** The API's knowledge of all reports. */
  const packetsOf = (rule: number): number => api?.counters.get(rule)?.packets ?? 0
  const fetched = (port = 80, host = NAT) => lab.get('client', { host, port })
  const nft = (command: string) => lab.run('gateway', `nft '${command}'`)
  const inForce = async () => (await readBack(place(), new Map())).elements
  const isInForce = async (entries: Translation[]) => {
    const { added, removed } = differenceOf(await inForce(), elementsOf(entries).elements)
    return added.length + removed.length === 0
  }
  const doings = { begin, start, stop, end, soon }
  return { ...doings, expect, lab, place, said, packetsOf, fetched, nft, inForce, isInForce }
}

type Trial = ReturnType<typeof trialIn>

/**
 * A test waits long, for a report each second and for packets without an answer, so the tests run concurrently. On a busy machine each
 * takes longer in proportion to the number of tests.
 */
function scenario(title: string, play: (trial: Trial) => Promise<void>, timeout = 180_000): void {
  test(title, { timeout }, async ({ expect }) => {
    const lab = await takeLab()
    const trial = trialIn(lab, expect)
    try {
      await play(trial)
    } finally {
      await trial.end()
      free.push(lab)
    }
  })
}

describe.skipIf(reason !== undefined).concurrent('the gateway', () => {
  afterAll(async () => {
    for (const lab of labs) await lab.remove()
  })

  scenario(
    'makes no table before the API answers',
    async ({ start, begin, stop, soon, said, nft, expect }) => {
      start()
      await soon(said).toContain('no translations from the API')
      expect(nft('list tables')).not.toContain('cloud_nat')
      await stop('SIGTERM')
      await begin([dnat(1)])
      await soon(() => nft('list tables')).toContain('cloud_nat')
    },
  )

  scenario(
    'translates DNAT by port, by protocol and whole, by TCP and UDP, with its counters',
    async ({ begin, soon, expect, lab, packetsOf, fetched }) => {
      const api = await begin([
        dnat(1),
        dnat(2, { protocol: 'UDP', natPort: 81 }),
        dnat(3, { natIp: '203.0.113.2', ...withoutPorts, protocol: 'UDP', privateIp: machines.two }),
        dnat(4, { natIp: '203.0.113.3', ...withoutPorts, protocol: 'ANY', privateIp: machines.two }),
      ])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      expect(await fetched(81)).toBe('silent')
      expect(await lab.datagram('client', { host: NAT, port: 81 })).toBe(FROM_CLIENT)
      expect(await lab.datagram('client', { host: '203.0.113.2', port: 80 })).toBe('two:80 from 198.51.100.2')
      expect(await fetched(80, '203.0.113.2')).toBe('silent')
      expect(await fetched(8000, '203.0.113.3')).toBe('two:8000 from 198.51.100.2')
      await soon(() => [1, 2, 3, 4].map((rule) => packetsOf(rule) > 0)).toEqual([true, true, true, true])
      expect(api.last).toMatchObject({
        revision: 1,
        mode: 'enforce',
        interval: 1,
        translations: 4,
        drift: [],
      })
    },
  )

  scenario('translates IPv6', async ({ begin, soon, lab, fetched }) => {
    await begin([
      dnat(1, { natIp: '2001:db8::1', privateIp: sixes.one }),
      { kind: 'snat', rule: 2, natIp: '2001:db8::9', privateIp: sixes.two },
    ])
    await soon(() => fetched(80, '2001:db8::1')).toBe('one:8000 from fd00:51::2')
    await lab.serve('client', [8002])
    await soon(() => lab.get('two', { host: 'fd00:51::2', port: 8002 })).toBe('client:8002 from 2001:db8::9')
  })

  scenario(
    'translates SNAT and default SNAT, and machines reach each other by their NAT IPs',
    async ({ begin, soon, expect, lab, fetched }) => {
      await begin([
        dnat(1),
        { kind: 'snat', rule: 2, natIp: '203.0.113.9', privateIp: machines.one },
        { kind: 'default', natIp: '203.0.113.8', privateIp: machines.two },
        { kind: 'default', natIp: '203.0.113.8', privateIp: machines.one },
      ])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      expect(await lab.get('two', { host: NAT, port: 80 })).toBe('one:8000 from 203.0.113.8')
      expect(await lab.get('one', { host: NAT, port: 80 })).toBe('one:8000 from 203.0.113.9')
      await lab.serve('client', [8001])
      expect(await lab.get('one', { host: '198.51.100.2', port: 8001 })).toBe('client:8001 from 203.0.113.9')
      expect(await lab.get('two', { host: '198.51.100.2', port: 8001 })).toBe('client:8001 from 203.0.113.8')
    },
  )

  scenario(
    'a change takes effect at once, a removed rule ends its connections, and no others',
    async ({ begin, soon, expect, lab, fetched }) => {
      const api = await begin([dnat(1), dnat(2, { natPort: 81 })])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      const open = (port: number) => lab.get('client', { host: NAT, port, kept: true })
      expect([await open(80), await open(81)]).toEqual([FROM_CLIENT, FROM_CLIENT])
      const flows = () => lab.run('gateway', 'conntrack -L -p tcp --state ESTABLISHED').split('\n')
      api.say([dnat(2, { natPort: 81 }), dnat(3, { natPort: 82, privateIp: machines.two })])
      await soon(() => fetched(82)).toBe('two:8000 from 198.51.100.2')
      expect(await fetched(80)).toBe('silent')
      await soon(() => flows().filter((line) => / dport=80 /.test(line))).toEqual([])
      expect(await open(80)).toBe('silent')
      expect(flows().filter((line) => / dport=81 /.test(line))).toHaveLength(1)
      expect(await open(81)).toBe(FROM_CLIENT)
    },
  )

  scenario(
    'changes during the application of another take effect, too',
    async ({ begin, soon, expect, said, isInForce }) => {
      const sets = [many(1000, 8000), many(1000, 80)] as const
      const api = await begin(sets[0])
      await soon(() => isInForce(sets[0])).toBe(true)
      for (let change = 0; change < 20; change += 1) {
        api.say(sets[(change + 1) % 2] ?? [])
        await delay(change * 4)
      }
      await soon(() => api.last?.revision).toBe(api.revision)
      expect(await isInForce(sets[0])).toBe(true)
      expect(api.states.filter(({ drift }) => drift.length > 0)).toEqual([])
      expect(said()).not.toContain('foreign')
    },
  )

  scenario(
    'translates ranges of ports, to the same ports or to one, for any source or for some, in both IP versions',
    async ({ begin, soon, expect, lab, packetsOf }) => {
      const [more, six] = ['198.51.100.77', '2001:db8::1']
      lab.run('client', `ip addr add ${more}/24 dev eth0`)
      const allowed = { sources: ['198.51.100.0/26', '10.0.0.0/8', '198.51.100.2/32'] }
      const api = await begin([
        dnat(1, { natPort: 7990, natPortEnd: 8010, privatePort: 7990 }),
        dnat(2, { natPort: 90, natPortEnd: 99, privatePort: 80, protocol: 'ANY' }),
        dnat(3, { natPort: 100, privatePort: 80, ...allowed }),
        dnat(4, { natIp: '203.0.113.2', natPort: 7990, natPortEnd: 8010, privatePort: 7990, ...allowed }),
        dnat(5, { natIp: '203.0.113.3', ...withoutPorts, ...allowed }),
        dnat(6, { natIp: '203.0.113.4', ...withoutPorts, protocol: 'ANY', ...allowed }),
        dnat(7, {
          natIp: six,
          privateIp: sixes.one,
          natPort: 90,
          natPortEnd: 99,
          privatePort: 80,
          sources: ['fd00:51::/64'],
        }),
        dnat(8, { natIp: six, privateIp: sixes.one, natPort: 7990, natPortEnd: 8010, privatePort: 7990 }),
        dnat(9, {
          natIp: six,
          privateIp: sixes.one,
          natPort: 70,
          privatePort: 80,
          sources: ['fd00:52::/64'],
        }),
      ])
      const by = (port: number) => `one:${port} from`
      const get = (port: number, host = NAT, from?: string) =>
        lab.get('client', { host, port, ...(from && { from }) })
      await soon(() => get(8000)).toBe(FROM_CLIENT)
      expect(await get(95)).toBe('one:80 from 198.51.100.2')
      expect(await lab.datagram('client', { host: NAT, port: 99 })).toContain(by(80))
      expect(await get(89)).toBe('silent')
      for (const [port, host, to] of [
        [100, NAT, 80],
        [8000, '203.0.113.2', 8000],
        [80, '203.0.113.3', 80],
        [8000, '203.0.113.4', 8000],
      ] as const) {
        expect(await get(port, host)).toBe(`one:${to} from 198.51.100.2`)
        expect(await get(port, host, more)).toBe('silent')
      }
      expect(await lab.datagram('client', { host: '203.0.113.3', port: 80 })).toBe('silent')
      expect(await lab.datagram('client', { host: '203.0.113.4', port: 80 })).toContain(by(80))
      expect([await get(91, six), await get(8000, six), await get(70, six)]).toEqual([
        'one:80 from fd00:51::2',
        'one:8000 from fd00:51::2',
        'silent',
      ])
      await soon(() => [1, 2, 3, 4, 5, 6, 7, 8].map((rule) => packetsOf(rule) > 0)).toEqual(
        Array(8).fill(true),
      )
      expect(api.last).toMatchObject({ translations: 9, drift: [], refused: [] })
      expect(api.states.filter(({ drift }) => drift.length > 0)).toEqual([])
    },
  )

  scenario(
    'a narrowed range, and narrowed sources, end the connections that are no longer allowed, and no others',
    async ({ begin, soon, expect, lab, fetched }) => {
      const more = '198.51.100.78'
      lab.run('client', `ip addr add ${more}/24 dev eth0`)
      const range = { natPort: 90, natPortEnd: 99, privatePort: 80 }
      const on = (rules: Partial<Translation>) => [dnat(1, { ...range, ...rules }), dnat(2, { natPort: 200 })]
      const api = await begin(on({}))
      await soon(() => fetched(90)).toBe('one:80 from 198.51.100.2')
      const open = (port: number, from: string) => lab.get('client', { host: NAT, port, from, kept: true })
      const flows = () =>
        lab
          .run('gateway', `conntrack -L -p tcp --orig-dst ${NAT} --state ESTABLISHED`)
          .split('\n')
          .flatMap((line) => (/src=(\S+) .*?dport=(\d+) /.exec(line) ?? []).slice(1, 3).join(' ') || [])
          .sort()
      const first = '198.51.100.2'
      for (const [port, from] of [
        [90, first],
        [95, first],
        [96, first],
        [95, more],
        [200, first],
      ] as const)
        expect(await open(port, from)).toContain('one:')
      expect(flows()).toHaveLength(5)
      api.say(on({ natPortEnd: 95 }))
      await soon(flows).toEqual([`${first} 200`, `${first} 90`, `${first} 95`, `${more} 95`])
      api.say(on({ natPortEnd: 95, sources: ['198.51.100.0/26'] }))
      await soon(flows).toEqual([`${first} 200`, `${first} 90`, `${first} 95`])
      api.say(on({ natPortEnd: 99, sources: ['198.51.100.0/25', '198.51.100.0/26'] }))
      await soon(() => open(99, more)).toContain('one:')
      // Clients go on to send on the connections that ended, and the rule allows some of them again.
      expect(flows()).toEqual(
        expect.arrayContaining([`${first} 200`, `${first} 90`, `${first} 95`, `${more} 99`]),
      )
      expect(await open(95, first)).toContain('one:')
      // Each port of the range goes to another place.
      api.say(on({ natPortEnd: 99, privatePort: 90, sources: ['198.51.100.0/25'] }))
      await soon(flows).toEqual([`${first} 200`])
      api.say([dnat(2, { natPort: 200, sources: ['198.51.100.78/32'] })])
      await soon(flows).toEqual([])
    },
  )

  scenario(
    'foreign changes of elements with intervals are found and repaired',
    async ({ begin, soon, place, nft, isInForce }) => {
      const all = [
        dnat(1, { natPort: 90, natPortEnd: 99, privatePort: 80 }),
        dnat(2, {
          natPort: 2048,
          natPortEnd: 4095,
          privatePort: 2048,
          sources: ['10.0.0.0/8', '192.0.2.1/32'],
        }),
        dnat(3, {
          natIp: '2001:db8::1',
          privateIp: sixes.one,
          protocol: 'ANY',
          ...withoutPorts,
          sources: ['::ffff:0:0/96'],
        }),
      ]
      const api = await begin(all)
      await soon(() => isInForce(all)).toBe(true)
      await soon(() => api.last?.drift).toEqual([])
      const { table } = place()
      for (const [edit, reason] of [
        [`delete element ip ${table} dnat_sources { ${NAT} . tcp . 2048-4095 . 10.0.0.0/8 }`, 'is missing'],
        [
          `delete element ip ${table} dnat_ranges_to_port { ${NAT} . tcp . 90-99 }; add element ip ${table} dnat_ranges_to_port { ${NAT} . tcp . 80-99 : 192.168.0.1 . 80 }`,
          'was added by another program',
        ],
        [
          `add element ip ${table} dnat_hosts_sources { 203.0.113.9 . 10.0.0.1-10.0.0.6 : 192.168.0.1 }`,
          'was added',
        ],
        [`flush map ip6 ${table} dnat_hosts_sources`, 'is missing'],
      ] as const) {
        api.states.length = 0
        nft(edit)
        await soon(() =>
          api.states.flatMap(({ drift }) => drift.map((each) => each.reason)).join(),
        ).toContain(reason)
        await soon(() => isInForce(all)).toBe(true)
        await soon(() => api.last?.drift).toEqual([])
      }
    },
  )

  scenario(
    'many removed rules end their connections in one go',
    async ({ begin, soon, expect, lab, fetched }) => {
      const api = await begin([...many(200), dnat(999, { natIp: '203.0.113.99' })])
      await soon(() => fetched(119)).toBe(FROM_CLIENT)
      const open = (port: number, host = NAT) => lab.get('client', { host, port, kept: true })
      for (const port of [80, 90, 100]) expect(await open(port)).toBe(FROM_CLIENT)
      expect(await open(80, '203.0.113.99')).toBe(FROM_CLIENT)
      api.say([dnat(999, { natIp: '203.0.113.99' })])
      await soon(() => lab.run('gateway', `conntrack -L -p tcp --orig-dst ${NAT}`)).toBe('')
      expect(await open(80, '203.0.113.99')).toBe(FROM_CLIENT)
    },
  )

  scenario(
    'narrowed sources end many connections, and only those of other sources',
    async ({ begin, soon, expect, lab }) => {
      const six = '2001:db8::1'
      const range = { natPort: 60, natPortEnd: 69, privatePort: 80 }
      const rules = (sources: string[], ofSix: string[]) => [
        dnat(1, { ...range, sources }),
        dnat(2, { ...range, natIp: six, privateIp: sixes.one, sources: ofSix }),
      ]
      const api = await begin(rules(['0.0.0.0/0'], ['::/0']))
      await soon(() => api.last?.revision).toBe(1)
      /** Connections of sources with different first, middle and last parts. */
      const connections = Array.from({ length: 600 }, (_, index) => {
        const [isSix, isStaying] = [index % 2 === 0, index % 3 === 0]
        const far = isSix
          ? `${(0x2002 + index * 7).toString(16)}::${index}`
          : `${1 + ((index * 7) % 190)}.${index % 251}.7.1`
        const near = isSix ? `fd00:51::${index}` : `198.51.100.${index % 256}`
        const [nat, inner] = isSix ? [six, sixes.one] : [NAT, machines.one]
        const [client, port] = [isStaying ? near : far, 1024 + index]
        return [
          `-I -p tcp -s ${client} -d ${nat} --sport ${port} --dport ${60 + (index % 5)}`,
          `-r ${inner} -q ${client} --reply-port-src 80 --reply-port-dst ${port} -t 600`,
          '--state ESTABLISHED -u SEEN_REPLY,ASSURED',
        ].join(' ')
      })
      const file = join(tmpdir(), `${lab.name('gateway')}-connections`)
      await writeFile(file, `${connections.join('\n')}\n`)
      lab.run('gateway', `conntrack -R ${file}`)
      await rm(file)
      const sourcesOf = (family: string) =>
        lab
          .run('gateway', `conntrack -L -f ${family} -p tcp --state ESTABLISHED 2>/dev/null`)
          .split('\n')
          .flatMap((line) => (/ dport=6\d /.test(line) ? (/src=(\S+)/.exec(line)?.[1] ?? []) : []))
      expect([sourcesOf('ipv4').length, sourcesOf('ipv6').length]).toEqual([300, 300])
      api.say(rules(['198.51.100.0/24'], ['fd00:51::/64']))
      await soon(() => [sourcesOf('ipv4').length, sourcesOf('ipv6').length]).toEqual([100, 100])
      expect(sourcesOf('ipv4').filter((each) => !each.startsWith('198.51.100.'))).toEqual([])
      expect(sourcesOf('ipv6').filter((each) => !each.startsWith('fd00:51:'))).toEqual([])
    },
  )

  scenario(
    'foreign changes are found, reported and repaired',
    async ({ begin, soon, expect, place, fetched, nft, isInForce }) => {
      const api = await begin([dnat(1), dnat(2, { natPort: 81 })])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      await soon(() => api.states.length).toBeGreaterThan(0)
      const { table } = place()
      const edits = [
        `delete element ip ${table} dnat_ports { ${NAT} . tcp . 80 }`,
        `add element ip ${table} dnat_ports { ${NAT} . tcp . 99 : ${machines.one} . 8000 }`,
        `add rule ip ${table} pre counter drop`,
        `flush chain ip ${table} post`,
        `add chain ip ${table} pre { policy drop; }`,
        `add table ip ${table} { flags dormant; }`,
        `add chain ip ${table} other; add rule ip ${table} pre jump other; add rule ip ${table} other drop`,
        `add set ip ${table} other { type ipv4_addr; }`,
        `flush chain ip ${table} pre; delete chain ip ${table} pre; add chain ip ${table} pre { type nat hook prerouting priority 10; }`,
        `delete table ip ${table}`,
      ]
      const before = await readBack(place(), new Map())
      for (const edit of edits) {
        api.states.length = 0
        nft(edit)
        await soon(() => api.states.some(({ drift }) => drift.length > 0)).toBe(true)
        await soon(async () => (await readBack(place(), new Map())).frame).toBe(before.frame)
        // A deleted table is made again before its elements are.
        await soon(() => isInForce([dnat(1), dnat(2, { natPort: 81 })])).toBe(true)
        expect(await fetched(), edit).toBe(FROM_CLIENT)
        // A repair still running would remove the next edit too, and no report would contain it.
        await soon(() => api.last?.drift).toEqual([])
      }
    },
  )

  scenario(
    '--watch writes nothing and reports its findings',
    async ({ begin, start, stop, soon, expect, lab, place, nft, inForce }) => {
      const api = await begin([dnat(1)], '--watch')
      await soon(() => api.last).toMatchObject({ mode: 'watch', revision: 0, translations: 0, drift: [] })
      expect(lab.run('gateway', 'nft list tables')).not.toContain(place().table)

      await prepare(place())
      await apply(place(), differenceOf(new Map(), elementsOf([dnat(1)]).elements))
      await stop('SIGTERM')
      start('--watch')
      await soon(() => api.last).toMatchObject({ revision: 1, translations: 1, drift: [] })
      nft(`add element ip ${place().table} dnat_ports { ${NAT} . tcp . 99 : 192.168.0.1 . 1 }`)
      await soon(() => api.last?.drift.map(({ reason: why }) => why)).toEqual([
        `dnat_ports ${NAT} . tcp . 99 → 192.168.0.1 . 1 was added by another program`,
      ])
      expect((await inForce()).size).toBe(3)
      nft(`delete table ip ${place().table}`)
      await soon(() => api.last?.drift.map(({ rule, reason: why }) => `${rule} ${why}`)).toContain(
        `1 dnat_ports ${NAT} . tcp . 80 → ${machines.one} . 8000 is missing`,
      )
    },
  )

  scenario(
    'two SNAT rules for one private address: one is refused, the rest is in force',
    async ({ begin, soon, expect, fetched, inForce }) => {
      const snat = (rule: number): Translation => ({
        kind: 'snat',
        rule,
        natIp: `203.0.113.${rule}`,
        privateIp: machines.one,
      })
      const api = await begin([snat(7), snat(8), dnat(1)])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      await soon(() => api.last?.refused).toEqual([
        { rule: 8, reason: expect.stringContaining('two machines behind this device') },
      ])
      expect((await inForce()).get(`ip snat_hosts ${machines.one}`)?.rule).toBe(7)
    },
  )

  scenario(
    'refused elements are found among the rest, with the words of nft',
    async ({ begin, expect, place, inForce }) => {
      await begin([])
      await prepare(place())
      const all = [...elementsOf(many(50)).elements.values()]
      const added = all.map((each) => (each.rule === 17 ? { ...each, value: '2001:db8::1 . 80' } : each))
      const refused = await findRefused(place(), { added, removed: [] })
      expect([...refused.values()]).toEqual([
        {
          element: expect.objectContaining({ rule: 17 }),
          reason: expect.stringMatching(/^nft refuses .*Error/),
        },
      ])
      expect((await inForce()).size).toBe(0)
    },
  )

  scenario(
    'SIGTERM and kill -9 leave the table; a start after them interrupts nothing',
    async ({ begin, start, stop, soon, expect, lab, place, packetsOf, fetched }) => {
      const api = await begin([dnat(1)])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      const open = () => lab.get('client', { host: NAT, port: 80, kept: true })
      expect(await open()).toBe(FROM_CLIENT)
      expect(await stop('SIGTERM')).toBe(0)
      expect([await fetched(), await open()]).toEqual([FROM_CLIENT, FROM_CLIENT])
      const { counters } = await readBack(place(), new Map())
      start()
      await soon(() => packetsOf(1)).toBe([...counters.values()][0]?.packets)
      await stop('SIGKILL')
      expect([await fetched(), await open()]).toEqual([FROM_CLIENT, FROM_CLIENT])
      api.say([dnat(1), dnat(2, { natPort: 81 })])
      start()
      await soon(() => fetched(81)).toBe(FROM_CLIENT)
      expect(await open()).toBe(FROM_CLIENT)
    },
  )

  scenario(
    'killed in the middle of applying, it leaves the set from before or the one from after',
    async ({ begin, start, stop, soon, expect, isInForce }) => {
      const sets = [many(1000, 8000), many(1000, 80)] as const
      const api = await begin(sets[0])
      await soon(() => isInForce(sets[0])).toBe(true)
      const kills = Number(process.env.GATEWAY_KILLS ?? 10)
      let [before, after] = sets
      for (let kill = 0; kill < kills; kill += 1) {
        api.say(after)
        // From before the answer arrives until after the transaction.
        await delay((kill % 10) * 12)
        await stop('SIGKILL')
        const [isBefore, isAfter] = [await isInForce(before), await isInForce(after)]
        expect({ kill, isWhole: isBefore || isAfter }).toEqual({ kill, isWhole: true })
        start()
        await soon(() => isInForce(after)).toBe(true)
        ;[before, after] = [after, before]
      }
    },
    600_000,
  )

  scenario(
    'without the API the rules stay and are repaired; the connection recovers by itself',
    async ({ begin, soon, expect, place, said, fetched, nft }) => {
      const api = await begin([dnat(1)])
      await soon(() => fetched()).toBe(FROM_CLIENT)
      api.isAway = true
      await soon(said).toContain('no translations from the API')
      nft(`flush map ip ${place().table} dnat_ports`)
      await soon(() => fetched()).toBe(FROM_CLIENT)
      api.say([dnat(1), dnat(2, { natPort: 81 })])
      api.isAway = false
      await soon(() => fetched(81)).toBe(FROM_CLIENT)
      expect(said()).toContain('the API answers again')
    },
  )

  scenario(
    'undoes unconfirmed changes in time, without the API, and applies them after a late confirmation',
    async ({ begin, soon, expect, said, isInForce }) => {
      const api = await begin([dnat(1), dnat(2, { natPort: 81 })])
      await soon(() => isInForce([dnat(1), dnat(2, { natPort: 81 })])).toBe(true)
      // Long enough for a busy machine to see the change in force.
      api.beginChange(5)
      api.say([dnat(1, { privatePort: 9000 }), dnat(3, { natPort: 82 })])
      await soon(() => isInForce([dnat(1, { privatePort: 9000 }), dnat(3, { natPort: 82 })])).toBe(true)
      api.isAway = true
      await soon(() => isInForce([dnat(1), dnat(2, { natPort: 81 })])).toBe(true)
      expect(said()).toMatch(/took back what was not confirmed, translations: 4/)
      api.confirm()
      api.isAway = false
      await soon(() => isInForce([dnat(1, { privatePort: 9000 }), dnat(3, { natPort: 82 })])).toBe(true)
    },
  )

  scenario(
    'counters never go back: not by a change, not by a foreign flush, not by a restart',
    async ({ begin, start, stop, soon, expect, place, packetsOf, fetched, nft }) => {
      const api = await begin([dnat(1)])
      const packets = () => packetsOf(1)
      await soon(() => fetched()).toBe(FROM_CLIENT)
      await fetched()
      await soon(packets).toBeGreaterThanOrEqual(2)
      let least = packets()
      nft(`flush map ip ${place().table} dnat_ports`)
      await soon(() => fetched()).toBe(FROM_CLIENT)
      await soon(packets).toBeGreaterThan(least)
      least = packets()
      api.say([dnat(1, { privateIp: machines.two })])
      await soon(() => fetched()).toBe('two:8000 from 198.51.100.2')
      await soon(packets).toBeGreaterThan(least)
      least = packets()
      await stop('SIGKILL')
      api.states.length = 0
      start()
      await soon(() => api.states.length).toBeGreaterThan(0)
      expect(await fetched()).toBe('two:8000 from 198.51.100.2')
      await soon(packets).toBeGreaterThan(least)
      const all = api.states.flatMap(({ counters }) => counters.map(({ packets: count }) => count))
      expect(all).toEqual(all.toSorted((one, other) => one - other))
    },
  )

  scenario(
    '--announce has the NAT IPs on a device, and takes away its own alone',
    async ({ begin, start, stop, soon, expect, lab }) => {
      lab.run('gateway', 'ip addr add 203.0.113.50/32 dev wan')
      const api = await begin(
        [dnat(1), dnat(2, { natIp: '2001:db8::1', privateIp: sixes.one })],
        '--announce',
        'wan',
      )
      const addresses = () => lab.run('gateway', 'ip addr show dev wan')
      await soon(addresses).toContain(`${NAT}/32`)
      await soon(addresses).toContain('2001:db8::1/128')
      await stop('SIGKILL')
      api.say([dnat(1, { natIp: '203.0.113.2' })])
      start('--announce', 'wan')
      await soon(addresses).toContain('203.0.113.2/32')
      await soon(addresses).not.toContain(`${NAT}/32`)
      expect(addresses()).toContain('203.0.113.50/32')
      expect(addresses()).not.toContain('2001:db8::1/128')
    },
  )

  scenario(
    'reports although the NAT IPs cannot be announced',
    async ({ begin, soon, expect, said, fetched }) => {
      const api = await begin([dnat(1)], '--announce', 'nowhere')
      await soon(said).toContain('Device \\"nowhere\\" does not exist')
      await soon(() => api.last?.revision).toBe(1)
      expect(await fetched()).toBe(FROM_CLIENT)
    },
  )

  scenario('warns where the machine forwards nothing', async ({ begin, soon, lab, said }) => {
    lab.run('gateway', 'sysctl -qw net.ipv4.ip_forward=0')
    try {
      await begin([dnat(1)])
      await soon(said).toContain('this machine forwards no packets: sysctl -w net.ipv4.ip_forward=1')
    } finally {
      lab.run('gateway', 'sysctl -qw net.ipv4.ip_forward=1')
    }
  })

  scenario('10,000 rules are made from nothing', async ({ begin, soon, expect, fetched, isInForce }) => {
    const all = many(10_000)
    const api = await begin(all)
    await soon(() => fetched(2079)).toBe(FROM_CLIENT)
    await soon(() => api.last?.translations).toBe(10_000)
    expect(await isInForce(all)).toBe(true)
  })
})

describe.concurrent('the command', () => {
  const localApi = ['--api', 'http://127.0.0.1/api', '--device', '7']
  const call = async (env: Record<string, string>, ...words: string[]) => {
    const child = spawn(process.execPath, [run, 'gateway', ...words], {
      env: { ...process.env, GATEWAY_TOKEN: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'exit')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    await ended
    return { status: child.exitCode, stdout, stderr }
  }

  test('sends no token to another machine over plain http, unless --insecure is given', async ({
    expect,
  }) => {
    const words = ['--api', 'http://192.0.2.1/api', '--device', '7']
    const { status, stderr } = await call({ GATEWAY_TOKEN: 'sat_test' }, ...words)
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^gateway: http:\/\/192\.0\.2\.1 is not encrypted.*--insecure\.\n$/),
    })
    const allowed = await call({}, ...words, '--insecure')
    expect(allowed.stderr).toContain('GATEWAY_TOKEN is not set')
  })

  test.for(['sat_te\nst', 'sat_te\u0001st', 'sat_te…st'])(
    'refuses a token that cannot be sent, and does not show it: %j',
    async (token, { expect }) => {
      const { stdout, ...refused } = await call({ GATEWAY_TOKEN: token }, ...localApi)
      expect(refused).toEqual({
        status: 2,
        stderr: expect.stringContaining('GATEWAY_TOKEN must be one word'),
      })
      expect(`${stdout}${refused.stderr}`).not.toContain('sat_')
    },
  )

  test('explains itself', async ({ expect }) => {
    const { status, stdout } = await call({}, '--help')
    expect(status).toBe(0)
    expect(stdout).toContain('--announce DEVICE')
  })

  test.for([
    ['--api must be', ['--device', '7']],
    ['--device must be', ['--api', 'http://127.0.0.1/api']],
    ['--interval must be', ['--api', 'http://127.0.0.1/api', '--device', '7', '--interval', '0']],
    ['--announce must be', ['--api', 'http://127.0.0.1/api', '--device', '7', '--announce', 'a b']],
    ['--metrics must be', ['--api', 'http://127.0.0.1/api', '--device', '7', '--metrics', '65536']],
    ['--api must have no user', ['--api', 'https://me:secret@127.0.0.1/api', '--device', '7']],
    ['GATEWAY_TOKEN is not set', ['--api', 'http://127.0.0.1/api', '--device', '7']],
    ['Unknown option', ['--other']],
  ] as const)('ends with 2 and says: %s', async ([message, words], { expect }) => {
    const { status, stderr } = await call({}, ...words)
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) })
  })
})
