import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { insertUser } from '#lib/people/identity/users.server'
import { noteEnd } from '#lib/record/mail/end-notices.server'
import { environmentOf } from '#lib/tools/testing/api-process'
import { call, expectStatus, newEnterprise } from '#lib/tools/testing/client'
import { newRole } from '#lib/tools/testing/identity'

/* 400 simulated days in two processes that are killed: each user ends on their day, once. */

const DAY = 24 * 60 * 60 * 1000
const DAYS = 400
const USERS = 2000
const KILLS = Number(process.env.TEST_KILLS ?? 6)

type Ending = { child: ChildProcess; begun: number; over: number; exited: Promise<unknown> }

const running = new Set<Ending>()

function startFrom(start: number, day: number): Ending {
  const script = ['lib/tools/testing/ends-process.ts', start, day, DAYS + 1].map(String)
  const child = spawn(process.execPath, script, {
    env: environmentOf(env()),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ending: Ending = { child, begun: day, over: day, exited: once(child, 'exit') }
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [word, number] = line.split(' ')
    if (word === 'begin') ending.begun = Number(number)
    else ending.over = Number(number) + 1
  })
  running.add(ending)
  return ending
}

async function kill(ending: Ending): Promise<void> {
  ending.child.kill('SIGKILL')
  await ending.exited
  running.delete(ending)
}

afterEach(async () => {
  for (const ending of running) await kill(ending)
})

/** The days on which these users end. */
async function newUsers(start: number): Promise<Map<number, number>> {
  const { id: enterpriseId } = await newEnterprise()
  const roleId = await newRole()
  const { id: by } = await expectStatus(200, call('GET', '/api/login'))
  const days = new Map<number, number>()
  await transaction(async (trx) => {
    for (let index = 0; index < USERS; index += 1) {
      const day = (index * 7919) % DAYS
      const user = { nick: `ends-${start}-${index}`, name: 'Test', enterpriseId, roleId, password_hash: '' }
      const endsAt = start + day * DAY
      const id = await insertUser(trx, { ...user, endsAt })
      await noteEnd(trx, { entity: 'user', id, endsAt, by })
      days.set(id, day)
    }
  })
  return days
}

/** The numbers of end events of these users. */
async function ended(days: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const rows = await database()
    .read.selectFrom('events')
    .where('entity_type', '=', 'user')
    .where('action', '=', 'end')
    .select('entity_id as id')
    .execute()
  const counts = new Map<number, number>()
  for (const { id } of rows) if (id !== null && days.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

const inactive = async (days: ReadonlyMap<number, number>): Promise<number[]> => {
  const rows = await database()
    .read.selectFrom('users')
    .where('active', '=', 0)
    .where('nick', 'like', 'ends-%')
    .select(['id', 'ends_at'])
    .execute()
  expect(rows.filter(({ ends_at }) => ends_at !== null)).toEqual([])
  return rows.flatMap(({ id }) => (days.has(id) ? [id] : []))
}

test('two processes that are killed end each user on their day, once', { timeout: 600_000 }, async () => {
  const start = Date.now() + DAY
  const days = await newUsers(start)
  let endings = [startFrom(start, 0), startFrom(start, 0)]
  for (let kills = 0; kills < KILLS; kills += 1) {
    await delay(1500 + 700 * Math.random())
    const [first, ...others] = endings
    if (!first) break
    const latest = () => Math.max(...endings.map(({ begun }) => begun))
    await kill(first)
    const gone = await inactive(days)
    const reached = latest()
    expect(gone.filter((id) => (days.get(id) ?? 0) > reached)).toEqual([])
    endings = [...others, startFrom(start, first.over)]
  }
  await Promise.all(endings.map(({ exited }) => exited))
  expect(endings.map(({ over }) => over)).toEqual([DAYS + 1, DAYS + 1])
  expect(await inactive(days)).toHaveLength(USERS)
  expect([...(await ended(days)).values()]).toEqual(Array(USERS).fill(1))
})
