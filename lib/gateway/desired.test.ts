import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DesiredElements } from '#lib/gateway/desired'
import { isSame, type Translation } from '#lib/gateway/elements'

/* A change of translations, compared with elements that are made from the whole. */

const addresses = fc.integer({ min: 1, max: 3 })
const port = fc.integer({ min: 1, max: 9 })
const dnat = fc
  .record({
    protocol: fc.constantFrom('TCP', 'UDP', 'ANY'),
    natIp: addresses.map((last) => `203.0.113.${last}`),
    privateIp: addresses.map((last) => `192.168.0.${last}`),
    ports: fc.option(fc.tuple(port, fc.integer({ min: 0, max: 3 }), port), { nil: undefined }),
    sources: fc.constantFrom([], ['198.51.100.0/24'], ['10.0.0.0/8', '10.1.0.0/16']),
  })
  .map(({ ports, ...rest }) => ({
    kind: 'dnat' as const,
    ...rest,
    ...(ports && { natPort: ports[0], privatePort: ports[2] }),
    ...(ports?.[1] && { natPortEnd: ports[0] + ports[1] }),
  }))
const snat = fc
  .record({
    natIp: addresses.map((last) => `203.0.113.${last}`),
    privateIp: fc.constantFrom('192.168.0.1', '192.168.0.2', 'fd00::1'),
  })
  .map((pair) => ({ kind: 'snat' as const, ...pair }))

/** Some are there at first; each step then removes some and adds others. */
const rules = fc.array(fc.oneof({ arbitrary: dnat, weight: 4 }, snat), { minLength: 1, maxLength: 16 })
const steps = fc.array(fc.uniqueArray(fc.nat(15), { maxLength: 4 }), { maxLength: 6 })

test('after each change are those of the whole, and the names of all that differ are returned', () => {
  let undone = 0
  let changes = 0
  fc.assert(
    fc.property(rules, fc.nat(16), steps, (all, first, toggled) => {
      const known = all.map((each, index) => ({ ...each, rule: index + 1 }) as Translation)
      const there = new Set(known.slice(0, first))
      let desired = new DesiredElements([...there])
      for (const some of toggled) {
        const chosen = some.flatMap((index) => known[index] ?? [])
        const removed = chosen.filter((each) => there.has(each))
        const added = chosen.filter((each) => !there.has(each))
        for (const each of removed) there.delete(each)
        for (const each of added) there.add(each)
        const before = new Map(desired.elements)
        const rebuilt = new DesiredElements([...there])
        const names = desired.change({ removed, added })
        changes += 1
        if (!names) {
          undone += 1
          desired = rebuilt
          continue
        }
        expect(desired.elements).toEqual(rebuilt.elements)
        expect(desired.refused).toEqual(rebuilt.refused)
        for (const name of new Set([...before.keys(), ...rebuilt.elements.keys()])) {
          const [was, is] = [before.get(name), rebuilt.elements.get(name)]
          if (!is || !isSame(was, is)) expect(names).toContain(name)
        }
      }
    }),
  )
  expect(undone).toBeLessThan(changes)
})

test('a contradiction keeps no other translation from a change of its own', () => {
  const exact = (rule: number): Translation => ({
    kind: 'dnat',
    rule,
    protocol: 'TCP',
    natIp: '203.0.113.1',
    natPort: rule,
    privateIp: '192.168.0.10',
    privatePort: 80,
  })
  const twice = [7, 8].map(
    (rule): Translation => ({ kind: 'snat', rule, natIp: `203.0.113.${rule}`, privateIp: '192.168.0.10' }),
  )
  const desired = new DesiredElements([exact(1), ...twice])
  expect(desired.refused).toEqual([{ rule: 8, reason: expect.stringContaining('two machines') }])
  expect(desired.change({ removed: [], added: [exact(2)] })).toEqual(
    new Set(['ip dnat_ports 203.0.113.1 . tcp . 2', 'ip private 192.168.0.10']),
  )
  expect(desired.change({ removed: twice.slice(0, 1), added: [] })).toBeUndefined()
})
