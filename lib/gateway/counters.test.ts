import { expect, test } from 'vitest'
import { Counters } from '#lib/gateway/counters'
import { elementsOf } from '#lib/gateway/desired'
import type { Element } from '#lib/gateway/elements'

const { elements } = elementsOf([
  {
    kind: 'dnat',
    rule: 1,
    protocol: 'ANY',
    natIp: '203.0.113.1',
    natPort: 80,
    privateIp: '192.168.0.10',
    privatePort: 80,
  },
])
const [tcp, udp] = [...elements.values()] as [Element, Element]

const counted = (first: number, second: number) =>
  new Map([
    [tcp.name, { packets: first, bytes: first * 60 }],
    [udp.name, { packets: second, bytes: second * 60 }],
  ])

const packets = (counters: Counters) => counters.unreported(new Set([1]), 10)[0]?.packets

test('the elements of a rule are added up', () => {
  const counters = new Counters()
  counters.add(elements, counted(3, 4))
  expect(counters.unreported(new Set([1, 2]), 10)).toEqual([{ rule: 1, packets: 7, bytes: 420 }])
})

test('only changed totals are reported', () => {
  const counters = new Counters()
  counters.add(elements, counted(3, 4))
  counters.noteReported(counters.unreported(new Set([1]), 10))
  expect(counters.unreported(new Set([1]), 10)).toEqual([])
  counters.add(elements, counted(3, 5))
  expect(counters.unreported(new Set([1]), 0)).toEqual([])
  expect(packets(counters)).toBe(8)
  expect(counters.unreported(new Set(), 10)).toEqual([])
})

test('a total never decreases when the kernel’s counter restarts at 0', () => {
  const counters = new Counters()
  counters.add(elements, counted(3, 4))
  counters.add(elements, counted(1, 4))
  expect(packets(counters)).toBe(8)
  counters.add(elements, new Map())
  counters.add(elements, counted(5, 0))
  expect(packets(counters)).toBe(13)
})

test('a recreated element counts from 0, even if it has counted more since', () => {
  const counters = new Counters()
  counters.add(elements, counted(3, 0))
  counters.restart([tcp])
  counters.add(elements, counted(10, 0))
  expect(packets(counters)).toBe(13)
})

test('a restarted gateway continues from its last report, or from the kernel’s counters', () => {
  for (const past of [100, 2]) {
    const counters = new Counters()
    counters.carryOn([{ rule: 1, packets: past, bytes: 0 }])
    counters.add(elements, counted(3, 0))
    expect(packets(counters)).toBe(Math.max(past, 3))
    counters.add(elements, counted(4, 0))
    expect(packets(counters)).toBe(Math.max(past, 3) + 1)
  }
})

test('what changes during a reading is counted once, before and after', () => {
  const counters = new Counters()
  counters.add(elements, counted(3, 4))
  counters.add(elements, counted(9, 6), new Set([tcp.name]))
  expect(packets(counters)).toBe(9)
  counters.add(elements, counted(9, 6))
  expect(packets(counters)).toBe(15)
  counters.restart([tcp])
  counters.add(elements, counted(9, 7), new Set([tcp.name]))
  expect(packets(counters)).toBe(16)
  counters.add(elements, counted(2, 7))
  expect(packets(counters)).toBe(18)
})
