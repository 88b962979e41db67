import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elementsOf } from '#lib/gateway/desired'
import { differenceOf, type Translation } from '#lib/gateway/elements'
import { canonical } from '#lib/gateway/networks'
import { changeOf } from '#lib/gateway/table'

const dnat = (rule: number, more: Partial<Translation> = {}): Translation => ({
  kind: 'dnat',
  rule,
  protocol: 'TCP',
  natIp: '203.0.113.1',
  natPort: 80,
  privateIp: '192.168.0.10',
  privatePort: 8000,
  ...more,
})

const withoutPorts = { natPort: undefined, privatePort: undefined }

/** From few addresses, so that translations meet. */
const pairs = fc.oneof(
  fc.record({
    natIp: fc.integer({ min: 1, max: 6 }).map((last) => `203.0.113.${last}`),
    privateIp: fc.integer({ min: 1, max: 6 }).map((last) => `192.168.0.${last}`),
  }),
  fc.record({
    natIp: fc.integer({ min: 1, max: 6 }).map((last) => `2001:db8::${last}`),
    privateIp: fc.integer({ min: 1, max: 6 }).map((last) => `fd00:0:0::${last}`),
  }),
)
const port = fc.integer({ min: 1, max: 3 })
const ports = fc.option(fc.record({ natPort: port, privatePort: port }), { nil: {} })
const protocol = fc.constantFrom('TCP', 'UDP', 'ANY')
const entries = fc.oneof(
  fc.record({ pair: pairs, ports, protocol }).map(({ pair, ports, protocol }) => ({
    kind: 'dnat' as const,
    protocol: protocol as 'TCP',
    ...pair,
    ...ports,
  })),
  pairs.map((pair) => ({ kind: 'snat' as const, ...pair })),
)
const defaults = pairs.map((pair) => ({ kind: 'default' as const, ...pair }))

/** Rules have ids of their own. */
const translations = fc
  .tuple(fc.array(entries, { maxLength: 40 }), fc.array(defaults, { maxLength: 10 }))
  .map(([rules, others]): Translation[] => [
    ...rules.map((each, index) => ({ ...each, rule: index + 1 })),
    ...others,
  ])

const keysOf = (all: Translation[], collection: string): string[] =>
  [...elementsOf(all).elements.values()]
    .filter((each) => each.collection === collection)
    .map(({ key, value }) => `${key} → ${value}`)

describe('the elements of translations', () => {
  test('DNAT with ports is one element for each protocol', () => {
    expect(keysOf([dnat(1)], 'dnat_ports')).toEqual(['203.0.113.1 . tcp . 80 → 192.168.0.10 . 8000'])
    expect(keysOf([dnat(1, { protocol: 'ANY' })], 'dnat_ports')).toEqual([
      '203.0.113.1 . tcp . 80 → 192.168.0.10 . 8000',
      '203.0.113.1 . udp . 80 → 192.168.0.10 . 8000',
    ])
  })

  test('DNAT without ports covers a protocol, or all of them', () => {
    expect(keysOf([dnat(1, { ...withoutPorts, protocol: 'UDP' })], 'dnat_protocols')).toEqual([
      '203.0.113.1 . udp → 192.168.0.10',
    ])
    expect(keysOf([dnat(1, { ...withoutPorts, protocol: 'ANY' })], 'dnat_hosts')).toEqual([
      '203.0.113.1 → 192.168.0.10',
    ])
  })

  const range = { natPort: 2000, natPortEnd: 2999, privatePort: 2000 }

  test('a range keeps its ports, or takes all of them to one', () => {
    expect(keysOf([dnat(1, range)], 'dnat_ranges')).toEqual(['203.0.113.1 . tcp . 2000-2999 → 192.168.0.10'])
    expect(keysOf([dnat(1, { ...range, privatePort: 80 })], 'dnat_ranges_to_port')).toEqual([
      '203.0.113.1 . tcp . 2000-2999 → 192.168.0.10 . 80',
    ])
  })

  test('sources are an element each, without those that others contain', () => {
    const sources = ['192.0.2.7/32', '10.1.0.0/16', '10.0.0.0/8', '10.0.0.0/8']
    const of = (more: Partial<Translation>, collection: string) =>
      keysOf([dnat(1, { sources, ...more })], collection)
    expect(of({}, 'dnat_sources_to_port')).toEqual([
      '203.0.113.1 . tcp . 80 . 10.0.0.0/8 → 192.168.0.10 . 8000',
      '203.0.113.1 . tcp . 80 . 192.0.2.7 → 192.168.0.10 . 8000',
    ])
    expect(of(range, 'dnat_sources')[0]).toBe('203.0.113.1 . tcp . 2000-2999 . 10.0.0.0/8 → 192.168.0.10')
    expect(of(withoutPorts, 'dnat_sources')[0]).toBe(
      '203.0.113.1 . tcp . 0-65535 . 10.0.0.0/8 → 192.168.0.10',
    )
    expect(of({ ...withoutPorts, protocol: 'ANY' }, 'dnat_hosts_sources')[0]).toBe(
      '203.0.113.1 . 10.0.0.0/8 → 192.168.0.10',
    )
    expect(of({ sources: [] }, 'dnat_ports')).toHaveLength(1)
    const six = { natIp: '2001:db8::1', privateIp: 'fd00::1', sources: ['::/0', '2001:DB8:1:0::/64'] }
    expect(of({ ...six, ...range }, 'dnat_sources')).toEqual([
      '2001:db8::1 . tcp . 2000-2999 . ::/0 → fd00::1',
    ])
  })

  test.each<[string, Partial<Translation>, Partial<Translation>]>([
    ['two ranges', range, { ...range, natPort: 2999, natPortEnd: 3000 }],
    ['a range within another', { ...range, privatePort: 1 }, { ...range, natPort: 2001, natPortEnd: 2002 }],
    ['a range for other sources', range, { ...range, natPort: 1, sources: ['10.0.0.0/8'] }],
    ['all ports for sources', { ...withoutPorts, sources: ['10.0.0.0/8'] }, { sources: ['192.0.2.0/24'] }],
  ])('%s that overlap: the later rule is refused', (_what, one, other) => {
    for (const all of [
      [dnat(1, one), dnat(2, other)],
      [dnat(2, other), dnat(1, one)],
    ]) {
      const { elements, refused } = elementsOf(all)
      expect(refused).toEqual([
        { rule: 2, reason: expect.stringContaining('rule 1 already translates 203.0.113.1') },
      ])
      expect(new Set([...elements.values()].map(({ rule }) => rule))).toEqual(new Set([1, undefined]))
    }
  })

  test('ranges of other protocols, other addresses and neighbouring ports are all made', () => {
    const { refused } = elementsOf([
      dnat(1, range),
      dnat(2, { ...range, natPort: 3000, natPortEnd: 3001 }),
      dnat(3, { ...range, natPort: 1998, natPortEnd: 1999 }),
      dnat(4, { ...range, protocol: 'UDP' }),
      dnat(5, { ...range, natIp: '203.0.113.2' }),
    ])
    expect(refused).toEqual([])
  })

  test('SNAT and default SNAT go by the private address', () => {
    const snat: Translation = { kind: 'snat', rule: 2, natIp: '203.0.113.2', privateIp: '192.168.0.10' }
    expect(keysOf([snat, { ...snat, kind: 'default', rule: undefined }], 'snat_hosts')).toEqual([
      '192.168.0.10 → 203.0.113.2',
    ])
    expect(keysOf([{ ...snat, kind: 'default', rule: undefined }], 'snat_default')).toEqual([
      '192.168.0.10 → 203.0.113.2',
    ])
  })

  test('two SNAT rules for one private address: the later one is refused with the reason', () => {
    const [first, second] = [2, 3].map(
      (rule): Translation => ({ kind: 'snat', rule, natIp: `203.0.113.${rule}`, privateIp: '192.168.0.10' }),
    )
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      const { elements, refused } = elementsOf(order.filter((each) => each !== undefined))
      expect(elements.get('ip snat_hosts 192.168.0.10')?.rule).toBe(2)
      expect(refused).toEqual([
        {
          rule: 3,
          reason: expect.stringContaining('two machines behind this device have the same private address'),
        },
      ])
    }
  })

  test.each<[string, Partial<Translation>]>([
    ['an address that is none', { natIp: '203.0.113' }],
    ['an address with a zone', { natIp: 'fe80::1%eth0', privateIp: 'fd00::1' }],
    ['two versions of IP', { privateIp: 'fd00::1' }],
    ['one port alone', { privatePort: undefined }],
    ['a port that is none', { natPort: 65_536 }],
    ['a range without a beginning', { ...withoutPorts, natPortEnd: 90 }],
    ['a range that does not grow', { natPortEnd: 80 }],
    ['a source with host bits', { sources: ['10.0.0.1/8'] }],
    ['a source of the other version of IP', { sources: ['::/0'] }],
    ['a source that is none', { sources: ['10.0.0.0/8', '10.0.0.0/33'] }],
  ])('%s is refused, and the rest is made', (_what, more) => {
    const { elements, refused } = elementsOf([dnat(1, more), dnat(2)])
    expect(refused).toEqual([{ rule: 1, reason: expect.any(String) }])
    expect([...elements.values()].map(({ rule }) => rule)).toEqual([2, undefined])
  })

  test('do not depend on the order of the translations', () => {
    fc.assert(
      fc.property(
        translations.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const [one, other] = [all, shuffled].map(elementsOf)
          expect(differenceOf(one?.elements ?? new Map(), other?.elements ?? new Map())).toEqual({
            added: [],
            removed: [],
          })
          expect(other?.refused).toEqual(one?.refused)
        },
      ),
    )
  })

  test('have each rule: in force, refused, or the same as an earlier one', () => {
    fc.assert(
      fc.property(translations, (all) => {
        const { elements, refused } = elementsOf(all)
        const inForce = new Set([...elements.values()].map(({ rule }) => rule))
        const out = new Set(refused.map(({ rule }) => rule))
        for (const each of all.filter(({ rule }) => rule !== undefined)) {
          const alone = [...elementsOf([each]).elements.values()]
          const isThere = alone.every(({ name, value }) => elements.get(name)?.value === value)
          expect(isThere).toBe(!out.has(each.rule))
          if (inForce.has(each.rule)) expect(isThere).toBe(true)
        }
      }),
    )
  })

  test('in any text only addresses, ports, ids and words of nft are written', () => {
    const text = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('1.2.3.4 }; flush ruleset', '::1 # x'),
    )
    const anything = fc.record({
      kind: fc.constantFrom('dnat', 'snat', 'default'),
      rule: fc.nat(),
      protocol: fc.constantFrom('TCP', 'UDP', 'ANY'),
      natIp: text,
      privateIp: text,
      natPort: fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined }),
      privatePort: fc.option(fc.integer(), { nil: undefined }),
      natPortEnd: fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined }),
      sources: fc.option(fc.array(text), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(anything), (all) => {
        const { elements } = elementsOf(all as Translation[])
        const added = [...elements.values()]
        const lines = changeOf({ added, removed: added }, 'nat').trim().split('\n')
        for (const line of lines.filter((each) => each !== ''))
          expect(line).toMatch(
            /^(add|delete) element ip6? nat [a-z_]+ \{ [\da-f.:]+( \. (tcp|udp)( \. \d+(-\d+)?)?)?( \. [\da-f.:]+(\/\d+)?)?( counter( comment "rule \d+")? : [\da-f.:]+( \. \d+)?)?(, [^{}#;]+)? \}$/,
          )
      }),
    )
  })
})

test('the difference turns one set into the other, and back', () => {
  fc.assert(
    fc.property(translations, translations, (one, other) => {
      const [from, to] = [elementsOf(one).elements, elementsOf(other).elements]
      const { added, removed } = differenceOf(from, to)
      const made = new Map(from)
      for (const { name } of removed) made.delete(name)
      for (const element of added) {
        // nft refuses to add an existing key with another value.
        expect(made.has(element.name)).toBe(false)
        made.set(element.name, element)
      }
      expect(differenceOf(made, to)).toEqual({ added: [], removed: [] })
      expect(made.size).toBe(to.size)
    }),
  )
})

test('each address has one form', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(isIP(canonical(address))).toBe(6)
      expect(canonical(canonical(address))).toBe(canonical(address))
    }),
  )
  expect(canonical('2001:DB8:0::1')).toBe('2001:db8::1')
  expect(canonical('::ffff:1.2.3.4')).toBe(canonical('::ffff:102:304'))
})
