import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Database, openDatabase } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { ownDatabase } from '#lib/tools/testing/own-database'
import { isLong, isOneInFive } from '#lib/tools/testing/search'

const NOW = '2026-03-14T10:30:00.000Z'
const LATER = '2026-07-01T00:00:00.000Z'
const DAY = 24 * 60 * 60 * 1000

/** A database of its own with the demo's cloud, filled at this time. */
async function filled(now: string): Promise<Database> {
  const settings = await ownDatabase()
  const { DATA_DIR, DATABASE_URL = '' } = settings
  const filling = spawn(process.execPath, ['lib/tools/scripts/run.js', 'demo-fill', '--now', now], {
    env: { ...process.env, DATA_DIR, DATABASE_URL },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [complained] = await Promise.all([text(filling.stderr), once(filling, 'exit')])
  if (complained !== '') throw new Error(complained)
  return openDatabase(settings)
}

let one: Database
let other: Database

// A fill takes eight seconds of processor time: one on SQLite on one day in five, in a long search two there and one on PostgreSQL.
const isEmbedded = env().DATABASE_URL === undefined
const isFilled = isLong || (isEmbedded && isOneInFive(0))
// The second is made of the same numbers as the first on any engine.
const isTwice = isEmbedded && isLong
const ifTwice = isTwice ? test : () => {}

beforeAll(async () => {
  if (isFilled) one = await filled(NOW)
  if (isTwice) other = await filled(LATER)
}, 240_000)

afterAll(async () => {
  for (const database of [one, other]) if (database) await closeDatabase(database)
})

const today = (now: string): number => Date.parse(now.slice(0, 10))

const eventsOf = ({ read }: Database) => read.selectFrom('events').selectAll().orderBy('id').execute()

describe.runIf(isFilled)('the sample cloud', () => {
  const tables = ['scopes', 'scope_entities', 'roles', 'nat_networks', 'nat_ips', 'nat_rules'] as const

  test.each(tables)('has the same %s each time', async (table) => {
    const rowsOf = ({ read }: Database) => read.selectFrom(table).selectAll().orderBy('id').execute()
    const rows = await rowsOf(one)
    expect(rows.length).toBeGreaterThan(6)
    if (isTwice) expect(await rowsOf(other)).toEqual(rows)
  })

  ifTwice('has the same users each time', async () => {
    const usersOf = ({ read }: Database) =>
      read
        .selectFrom('users')
        .select(['id', 'nick', 'name', 'surname', 'email', 'locale', 'active', 'first_login'])
        .select(['enterprise_id', 'role_id', 'scope_id', 'two_factor_provider'])
        .orderBy('id')
        .execute()
    expect(await usersOf(other)).toEqual(await usersOf(one))
  })

  test('has a scope tree of six levels', async () => {
    const scopes = await one.read.selectFrom('scopes').select(['id', 'parent_id']).execute()
    const parents = new Map(scopes.map(({ id, parent_id }) => [id, parent_id]))
    const levelOf = (id: number): number => {
      const parent = parents.get(id)
      return parent ? 1 + levelOf(parent) : 1
    }
    const levels = Map.groupBy(scopes, ({ id }) => levelOf(id))
    const counts = [...levels].map(([level, found]) => [level, found.length]).sort()
    expect(counts).toEqual([
      [1, 1],
      [2, 3],
      [3, 9],
      [4, 12],
      [5, 27],
      [6, 19],
    ])
  })

  test('has one network of whose assignable addresses 92 % are attached', async () => {
    const networks = await one.read
      .selectFrom('nat_counts')
      .innerJoin('nat_networks', 'nat_networks.id', 'nat_counts.nat_network_id')
      .select(['nat_networks.name', 'nat_counts.ips', 'nat_counts.used_ips'])
      .execute()
    const full = networks.filter(({ ips, used_ips }) => used_ips > ips / 2)
    expect(full).toEqual([{ name: 'Frankfurt dedicated', ips: 126, used_ips: 117 }])
  })
})

describe.runIf(isFilled)('its past', () => {
  ifTwice('is the same each time, counted back from the day of the fill', async () => {
    const storyOf = async (database: Database, now: string) =>
      (await eventsOf(database)).map((event) => ({
        ...event,
        timestamp: event.timestamp - today(now),
        // In PostgreSQL the journal has the time of the database.
        moment: null,
        transaction_number: null,
      }))
    expect(await storyOf(other, LATER)).toEqual(await storyOf(one, NOW))
  })

  test('ends on the day before the fill and began 60 days earlier', async () => {
    const times = (await eventsOf(one)).map(({ timestamp }) => timestamp)
    expect(times.toSorted((a, b) => a - b)).toEqual(times)
    expect(Math.floor(((times[0] ?? 0) - today(NOW)) / DAY)).toBe(-60)
    expect(Math.floor(((times.at(-1) ?? 0) - today(NOW)) / DAY)).toBe(-1)
  })

  test('contains many users and kinds of changes', async () => {
    const events = await eventsOf(one)
    const kinds = new Set(events.map(({ action, entity_type }) => `${action} ${entity_type}`))
    expect([...kinds].sort()).toEqual([
      'attach natip',
      'change-password user',
      'create natnetwork',
      'create natrule',
      'create role',
      'create scope',
      'create user',
      'create-natips natnetwork',
      'delete natip',
      'delete natnetwork',
      'delete scope',
      'enable2fa user',
      'release natip',
      'sign-in user',
      'sign-in-refused user',
      'sign-out user',
      'update natip',
      'update natnetwork',
      'update role',
      'update scope',
      'update user',
    ])
    expect(new Set(events.map(({ user_nick }) => user_nick)).size).toBeGreaterThan(50)
    expect(new Set(events.map(({ ip }) => ip)).size).toBeGreaterThan(50)
  })

  test('has scopes that were moved, with their parents before and after', async () => {
    const events = await eventsOf(one)
    const moved = events.filter(
      ({ action, changes }) => action === 'update' && changes.includes('"scopeParent":{"before"'),
    )
    expect(moved.map(({ entity_name, user_nick }) => [entity_name, user_nick])).toEqual([
      ['Jade Telecom: roaming', 'marta.ibanez'],
      ['Fjord Shipping: harbour', 'marta.ibanez'],
    ])
  })

  test('leaves six users with two factor, whose enrolment is complete', async () => {
    const users = await one.read
      .selectFrom('users')
      .where('two_factor_provider', 'is not', null)
      .select(['nick', 'two_factor_began_by'])
      .orderBy('id')
      .execute()
    expect(users).toHaveLength(6)
    expect(users.filter(({ two_factor_began_by }) => two_factor_began_by !== null)).toEqual([])
  })

  const ended = ['sessions', 'ended_sessions', 'sign_in_failures', 'refused_strangers', 'mails'] as const

  test.each(ended)('leaves nothing in %s', async (table) => {
    expect(await one.read.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
