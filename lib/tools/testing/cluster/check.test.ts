import { describe, expect, test } from 'vitest'
import { type RuleName, rules } from '#lib/tools/testing/cluster/check'
import type { Asked, ClientOperation, End, JournalEvent } from '#lib/tools/testing/cluster/history'
import { gapsOf } from '#lib/tools/testing/cluster/report'

/* Each rule accepts a history without a fault, and refuses one with it. */

const nothingThere: End = {
  names: [],
  scopes: [],
  networks: {},
  registers: {},
  journal: [],
  feed: [],
  hooks: [],
  unsure: [],
  wrongTotals: 0,
}

let clock = 0

/** Each operation begins after the end of the one before, unless it has times of its own. */
function did(asked: Asked, rest: Partial<ClientOperation> = {}): ClientOperation {
  clock += 10
  const by = { client: 1, console: 'console1', outcome: 'ok', status: 200 } as const
  return { ...asked, ...by, began: clock, ended: clock + 5, ...rest } as ClientOperation
}

const unknown = { outcome: 'unknown', status: 503 } as const

const create = (name: string, rest: Partial<ClientOperation> = {}, effect = `make ${name}`) =>
  did({ op: 'create', name, effect }, rest)
const take = (effect: string, ips: string[], rest: Partial<ClientOperation> = {}) =>
  did({ op: 'take', network: 'shared', count: ips.length, effect }, { ips, ...rest })
const unclear = (effect: string, count: number) =>
  did({ op: 'take', network: 'shared', count, effect }, unknown)
const write = (value: number, text = String(value), rest: Partial<ClientOperation> = {}) =>
  did({ op: 'write', register: 'r', value, text, effect: `write ${text}` }, rest)
const read = (value: number, rest: Partial<ClientOperation> = {}) =>
  did({ op: 'read', register: 'r' }, { value, ...rest })
const find = (name: string, present: boolean, rest: Partial<ClientOperation> = {}) =>
  did({ op: 'find', name }, { present, ...rest })
const plan = (effect: string, rest: Partial<ClientOperation> = {}) =>
  did({ op: 'plan', plan: 1, parts: ['A', 'B'], effect }, rest)
const bulk = (rest: Partial<ClientOperation> = {}) =>
  did({ op: 'bulk', network: 'shared', ips: ['1', '2'], effect: 'bulk' }, rest)
const undo = (effect: string, rest: Partial<ClientOperation> = {}) =>
  did({ op: 'undo', event: 7, effect }, rest)
const list = (ips: string[], total: number) => did({ op: 'list', network: 'shared' }, { ips, total })

const event = (id: number, rest: Partial<JournalEvent> = {}): JournalEvent => ({
  id,
  at: 1,
  action: 'create',
  entity: 'datacenter',
  name: `event ${id}`,
  ...rest,
})
const shared = (...ips: string[]) => ({ shared: ips.map((ip) => ({ ip, quarantine: false })) })
const quarantined = (...ips: string[]) => ({
  shared: ['1', '2'].map((ip) => ({ ip, quarantine: ips.includes(ip) })),
})
const arrivals = (...ids: number[]) => ids.map((id) => ({ id, at: 1 }))
const journalOf = (...ids: number[]): JournalEvent[] => ids.map((id) => event(id))

type Case = [title: string, operations: () => ClientOperation[], end: Partial<End>]

const histories: Record<RuleName, { accepted: Case[]; refused: Case[] }> = {
  lost: {
    accepted: [
      [
        'all that was acknowledged is there',
        () => [create('A'), write(1)],
        { names: ['A'], registers: at(2) },
      ],
      [
        'what is unknown may be there or not',
        () => [create('A', unknown), create('B', unknown)],
        { names: ['B'] },
      ],
      ['what was refused is not there', () => [create('A', { outcome: 'fail', status: 409 })], {}],
      ['an undo is in the journal', () => [undo('x')], { journal: [event(8, { undoes: 7 })] }],
    ],
    refused: [
      ['a datacenter', () => [create('A')], {}],
      ['an address', () => [take('x', ['1', '2'])], { networks: shared('1') }],
      ['a value', () => [write(3)], { registers: at(2) }],
      ['a scope of a plan', () => [plan('x')], { scopes: ['A'] }],
      ['a bulk change', () => [bulk()], { networks: quarantined('1') }],
      ['an undo', () => [undo('x')], {}],
    ],
  },
  double: {
    accepted: [
      [
        'a key whose answer comes again',
        () => [take('x', ['1']), take('x', ['1'])],
        { networks: shared('1') },
      ],
      [
        'an unknown request that took effect once',
        () => [unclear('x', 2), unclear('x', 2)],
        { networks: shared('1', '2') },
      ],
      ['values one after another', () => [write(1), write(2, '2', unknown), write(2, '2 again')], {}],
    ],
    refused: [
      ['an address for two requests', () => [take('x', ['1']), take('y', ['1'])], { networks: shared('1') }],
      ['two answers of one key', () => [take('x', ['1']), take('x', ['2'])], { networks: shared('1', '2') }],
      [
        'an unknown request that took effect twice',
        () => [unclear('x', 1), unclear('x', 1)],
        { networks: shared('1', '2') },
      ],
      ['a value written over', () => [write(1, '1 of one'), write(1, '1 of another')], {}],
      ['a plan applied twice', () => [plan('x'), plan('y')], { scopes: ['A', 'B'] }],
      ['a name that is there twice', () => [], { names: ['A', 'A'] }],
      [
        'a creation with two events',
        () => [],
        { journal: [event(1, { name: 'A' }), event(2, { name: 'A' })] },
      ],
    ],
  },
  stale: {
    accepted: [
      ['a read after a write sees it', () => [write(1), read(1), create('A'), find('A', true)], {}],
      [
        'a read during a write may miss it',
        () => [write(1, '1', { began: 10, ended: 50 }), read(0, { began: 40, ended: 60 })],
        {},
      ],
      [
        'what was seen while an administrator cancelled waits may be gone',
        () => [write(1, '1', unknown), read(1, { began: 6, ended: 7 }), read(0, { began: 8, ended: 9 })],
        { unsure: [[5, 7]] },
      ],
      ['an unknown write may be seen later', () => [write(1, '1', unknown), read(0), read(1), read(1)], {}],
    ],
    refused: [
      ['a read that misses a write', () => [write(1), write(2), read(1)], {}],
      ['a read that misses what another has seen', () => [write(1, '1', unknown), read(1), read(0)], {}],
      ['a list without an address that was given', () => [take('x', ['1']), list([], 0)], {}],
      ['a datacenter that is not found', () => [create('A'), find('A', false)], {}],
    ],
  },
  order: {
    accepted: [
      [
        'every event once, in the order of commit',
        () => [],
        { journal: journalOf(1, 3, 2), feed: arrivals(1, 3, 2) },
      ],
    ],
    refused: [
      ['a missing event', () => [], { journal: journalOf(1, 2, 3), feed: arrivals(1, 3) }],
      ['a repeated event', () => [], { journal: journalOf(1, 2), feed: arrivals(1, 1, 2) }],
      ['another order', () => [], { journal: journalOf(1, 2), feed: arrivals(2, 1) }],
      ['an event that does not exist', () => [], { journal: journalOf(1), feed: arrivals(1, 2) }],
    ],
  },
  sums: {
    accepted: [
      ['no total is above the rows', () => [list(['1', '2'], 2), list(['1', '2', '3'], 2)], {}],
      [
        'the event of a bulk change counts its rows',
        () => [],
        { networks: quarantined('1', '2'), journal: [event(1, { action: 'change-natips', count: 2 })] },
      ],
    ],
    refused: [
      ['a total of other rows', () => [list(['1'], 2)], {}],
      ['rows that no event counts', () => [], { networks: quarantined('1') }],
      ['a wrong stored total', () => [], { wrongTotals: 1 }],
    ],
  },
  undone: {
    accepted: [
      [
        'one undo of two',
        () => [undo('x'), undo('y', { outcome: 'fail', status: 409 })],
        { journal: [event(8, { undoes: 7 })] },
      ],
      ['a repeated undo', () => [undo('x'), undo('x')], { journal: [event(8, { undoes: 7 })] }],
    ],
    refused: [
      ['two undos that succeed', () => [undo('x'), undo('y')], {}],
      ['two undos in the journal', () => [], { journal: [event(8, { undoes: 7 }), event(9, { undoes: 7 })] }],
    ],
  },
  hooks: {
    accepted: [
      [
        'each event since the creation of the webhook, some of them twice',
        () => [],
        { journal: [event(1), event(2, { entity: 'webhook' }), event(3)], hooks: arrivals(3, 3) },
      ],
    ],
    refused: [
      ['a webhook about nothing', () => [], { journal: journalOf(1), hooks: arrivals(1, 2) }],
      ['an event without a webhook', () => [], { journal: journalOf(1, 2), hooks: arrivals(1) }],
    ],
  },
  half: {
    accepted: [
      [
        'a whole plan, and nothing of another one',
        () => [plan('x', unknown), bulk(unknown)],
        { scopes: ['A', 'B'] },
      ],
    ],
    refused: [
      ['half of a plan', () => [plan('x', unknown)], { scopes: ['B'] }],
      ['half of a bulk change', () => [bulk(unknown)], { networks: quarantined('2') }],
      [
        'half of a run',
        () => [did({ op: 'take', network: 'shared', count: 2, effect: 'x' }, { ips: ['1'] })],
        {},
      ],
    ],
  },
  odd: {
    accepted: [['the refusals of a database that is away', () => [create('A', unknown)], {}]],
    refused: [
      ['an error that nothing explains', () => [create('A', { outcome: 'unknown', status: 500 })], {}],
    ],
  },
}

function at(value: number): End['registers'] {
  return { r: { value, text: String(value) } }
}

describe.each(Object.entries(histories))('%s', (name, { accepted, refused }) => {
  const judge = (operations: ClientOperation[], end: Partial<End>) =>
    rules[name as RuleName](operations, { ...nothingThere, ...end })

  test.each(accepted)('accepts: %s', (_title, operations, end) => {
    expect(judge(operations(), end)).toEqual([])
  })

  test.each(refused)('refuses: %s', (_title, operations, end) => {
    expect(judge(operations(), end)).not.toEqual([])
  })
})

test('a gap lasts from a promotion to the end of the next acknowledged change', () => {
  const operations = [
    write(1, '1', { began: 0, ended: 5 }),
    write(2, '2', { began: 12, ended: 40, ...unknown }),
    write(2, '2', { began: 20, ended: 30 }),
  ]
  expect(gapsOf({ operations, promotions: [10] })).toEqual([20])
})
