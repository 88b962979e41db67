import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newEnterprise, newUser, type User, unique } from '#lib/tools/testing/client'
import { newDatacenter } from '#lib/tools/testing/nat'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, ofEnterprise, putScope, readScope, SCOPES } from '#lib/tools/testing/scopes'

/* `changed` on scopes: their own fields, and the enterprises and datacenters in them. */

const HOUR = 3_600_000_000

/** As if the last of what happened so far had happened two hours ago: other tests may have written at a later time. */
const age = (): Promise<unknown> =>
  transaction(async (trx) => {
    const own = sql`source in ('scopes', 'scope_entities')`
    const { rows } = await sql<{
      last: number | string
    }>`select max(until) as last from past_rows where ${own}`.execute(trx)
    const since = Math.max(Number(rows[0]?.last) - Date.now() * 1000, 0) + 2 * HOUR
    await sql`update past_rows set until = until - ${since} where ${own}`.execute(trx)
  })

const [mine, other] = [await newEnterprise(), await newEnterprise()]
const { id: datacenter } = await newDatacenter()
const word = unique('Changed')
const own = await newScope({ name: `${word} own`, enterprises: [mine.id], datacenters: [datacenter] })
const limited = await newUser({ enterpriseId: mine.id, scopeId: own.id })
const scope = await newScope({ name: `${word} full`, parent: own.id, enterprises: [mine.id] })
const quiet = await newScope({ name: `${word} quiet`, parent: own.id })

const idsOf = async (changed: string, as?: User): Promise<number[]> => {
  const time = `changed=${encodeURIComponent(changed)}`
  const query = `has=${encodeURIComponent(word)}&${time}`
  const request = { ...(as && { as }) }
  const list = await expectStatus(200, call('GET', `${SCOPES}?${query}&limit=0`, request))
  expect(list.links[0].href).toContain(time)
  const tree = await expectStatus(200, call('GET', `${SCOPES}/action/tree?${query}&limit=999`, request))
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)
  const found = ids(list.collection)
  expect(ids(tree.collection.filter(({ match }: { match: boolean }) => match))).toEqual(found)
  return found
}

/** True if the scope changed within an hour; both filters agree. */
async function isChanged(id: number, as?: User): Promise<boolean> {
  const is = (await idsOf('<1h', as)).includes(id)
  expect((await idsOf('>1h', as)).includes(id)).toBe(!is)
  return is
}

test('a scope changes with its fields and with what is in it', async () => {
  expect(await isChanged(scope.id)).toBe(true)
  await age()
  expect(await isChanged(scope.id)).toBe(false)
  await expectStatus(200, putScope(await readScope(scope.id), { name: `${scope.name} renamed` }))
  expect(await isChanged(scope.id)).toBe(true)
  expect(await isChanged(quiet.id)).toBe(false)

  await age()
  const entities = [ofEnterprise(mine.id), ofEnterprise(other.id)]
  await expectStatus(200, putScope(await readScope(scope.id), { scopeEntities: entities }))
  expect(await isChanged(scope.id)).toBe(true)
  // The limited user does not see the other enterprise.
  expect(await isChanged(scope.id, limited)).toBe(false)

  await age()
  await expectStatus(200, putScope(await readScope(scope.id), { scopeEntities: [ofEnterprise(other.id)] }))
  expect(await isChanged(scope.id, limited)).toBe(true)
  await age()
  await expectStatus(200, putScope(await readScope(scope.id), { scopeEntities: [] }))
  expect(await isChanged(scope.id)).toBe(true)
  expect(await isChanged(scope.id, limited)).toBe(false)
})

test('scopes and devices refuse another text', async () => {
  for (const path of [
    SCOPES,
    `${SCOPES}/action/tree`,
    '/api/cloud/devices',
    `/api/cloud/locations/${datacenter}/devices`,
  ])
    for (const changed of ['7d', '<0d', '>1y', ''])
      expect(await refusal(call('GET', `${path}?changed=${encodeURIComponent(changed)}`))).toEqual([
        400,
        'GEN-22',
      ])
})
