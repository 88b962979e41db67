import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { newUserColumns } from '#lib/people/identity/users.server'
import { newRole } from '#lib/tools/testing/identity'
import { type Directory, newDirectory } from '#lib/tools/testing/scim'

/* What a directory asks for before each change takes no longer where there are many users. */

const USERS = 50_000
const SLICE = 500
/** Of one search (ms). */
const MOST = 50
const MINUTE = 60_000
/** The users of other tests are made later. */
const ended = Date.now() - 24 * 60 * MINUTE
const began = ended - USERS * MINUTE

let directory: Directory

beforeAll(async () => {
  directory = await newDirectory()
  const { id: owner, enterpriseId } = directory.user
  const roleId = await newRole()
  for (let first = 0; first < USERS; first += SLICE)
    await transaction(async (trx) => {
      const numbers = Array.from({ length: SLICE }, (_, index) => first + index)
      const rows = numbers.map((number) => ({
        ...newUserColumns({
          ...{ nick: `many-${number}@example.com`, name: 'Given', surname: `Family ${number}` },
          ...{ email: `many-${number}@example.com`, enterpriseId, roleId, password_hash: 'none' },
        }),
        created_at: began,
        modified_at: began + number * MINUTE,
      }))
      const made = await trx.insertInto('users').values(rows).returning(['id', 'nick']).execute()
      await trx
        .insertInto('external_names')
        .values(
          made.map(({ id, nick }) => ({
            ...{ owner_id: owner, kind: 'user', resource_id: id, external_id: `external ${nick}` },
            ...{ display_name: `Shown ${nick}`, display_key: fold(`Shown ${nick}`), changed_at: began },
          })),
        )
        .execute()
    })
  await sql`analyze`.execute(database().write)
}, 300_000)

const nick = `many-${USERS - 77}@example.com`
const recently = new Date(ended - 100 * MINUTE - 1).toISOString()
const lastly = new Date(ended).toISOString()

test.each([
  ['userName', `userName eq "${nick.toUpperCase()}"`, 1],
  ['externalId', `externalId eq "external ${nick}"`, 1],
  ['displayName of the directory', `displayName eq "Shown ${nick}"`, 1],
  ['name.formatted', `name.formatted eq "given family ${USERS - 77}"`, 1],
  ['an address', `emails.value eq "${nick}"`, 1],
  ['an address by its type', `emails[type eq "work" and value eq "${nick}"]`, 1],
  ['the last change', `meta.lastModified gt "${recently}" and meta.lastModified lt "${lastly}"`, 100],
  ['several', `userName eq "${nick}" and active eq true`, 1],
  ['nobody', 'userName eq "nobody"', 0],
])(`%s finds its users among ${USERS} within ${MOST} ms`, async (_name, filter, found) => {
  const times: number[] = []
  for (let time = 0; time < 7; time++) {
    const start = performance.now()
    const answer = await directory.expectFrom(200, 'GET', `/Users?filter=${encodeURIComponent(filter)}`)
    times.push(performance.now() - start)
    expect(answer.totalResults).toBeGreaterThanOrEqual(found)
    expect(answer.totalResults).toBeLessThanOrEqual(found + 2)
  }
  const median = times.toSorted((one, other) => one - other)[3] ?? Number.POSITIVE_INFINITY
  process.stdout.write(`${filter}: ${median.toFixed(1)} ms\n`)
  expect(median).toBeLessThan(MOST)
})
