import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Caller } from '#lib/caller/auth/privileges'
import { natScopeOf } from '#lib/cloud/nat/counts.server'
import { isAmongMatches } from '#lib/cloud/nat/rule-words.server'
import { database, transaction } from '#lib/db/db.server'
import { fold } from '#lib/db/fold'
import { FEW, rowsWithWord } from '#lib/db/words.server'
import { call, expectStatus, newEnterprise, unique } from '#lib/tools/testing/client'
import { addIps, ipOf, networksPath, newDatacenter, newMachine, newNetwork } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'
import { search, searchTime } from '#lib/tools/testing/search'

/* The word index, with which a search finds few rows among many. */

const ips = { table: 'nat_ips', column: 'ip' } as const
const machineNames = { table: 'virtual_machines', column: 'name_key' } as const

test('a search by the index finds the same rows as a search of all rows, for any word', {
  timeout: searchTime(60_000),
}, async () => {
  const { datacenter, machines } = await natSample()
  const texts = ['10.0.0.10', '2001:db8::2', '192.168.0.5', machines.seen.name, machines.hidden.name, 'tcp']
  const part = fc
    .tuple(fc.constantFrom(...texts), fc.nat(40), fc.integer({ min: 1, max: 12 }))
    .map(([text, start, length]) => text.slice(start % text.length, (start % text.length) + length))
  const words = fc.oneof(
    part,
    fc.string({ unit: fc.constantFrom(...'01.: "%_\\\'*añ'), minLength: 1, maxLength: 6 }),
  )
  const found = async (list: string, query: string) => {
    const path = `${networksPath(datacenter.id)}/action/${list}?all=true&${query}`
    const { collection } = await expectStatus(200, call('GET', path))
    return (collection as { id: number }[]).map(({ id }) => id)
  }
  await fc.assert(
    fc.asyncProperty(words, fc.constantFrom('allips', 'allrules'), async (word, list) => {
      const has = `has=${encodeURIComponent(word)}`
      // A full export searches row by row.
      expect(await found(list, `${has}&limit=100`)).toEqual(await found(list, `${has}&limit=0`))
    }),
    search(120),
  )
})

test('the index follows inserts, updates and deletes', async () => {
  const network = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.231.0.0/24' })
  await addIps(network, { from: '10.231.0.7', count: 2 })
  const [seven, eight] = [await ipOf(network, '10.231.0.7'), await ipOf(network, '10.231.0.8')]
  // Other tests of the same database may create addresses with these digits.
  const found = async () =>
    (await rowsWithWord(ips, '10.231.0.'))?.filter((id) => [seven.id, eight.id].includes(id))
  expect(await found()).toEqual([seven.id, eight.id])
  await expectStatus(204, call('DELETE', `${networksPath(network.datacenter)}/${network.id}/ips/${seven.id}`))
  expect(await found()).toEqual([eight.id])

  // The index finds names that have all the letters of the end, in threes: numbers at the end could be in another name too.
  const [before, after] = [`${unique('Machine')} Kälteq`, `${unique('Machine')} Señalw`]
  const machine = await newMachine({
    datacenter: network.datacenter,
    enterprise: (await newEnterprise()).id,
    name: before,
  })
  expect(await rowsWithWord(machineNames, before.toUpperCase())).toEqual([machine.id])
  const names = { name: after, name_key: fold(after) }
  await transaction((trx) =>
    trx.updateTable('virtual_machines').set(names).where('id', '=', machine.id).execute(),
  )
  expect(await rowsWithWord(machineNames, before)).toEqual([])
  expect(await rowsWithWord(machineNames, after)).toEqual([machine.id])
})

test('the index returns undefined for too many rows and for words that are too short', async () => {
  const network = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.232.0.0/18' })
  await addIps(network, { count: FEW + 1 })
  expect(await rowsWithWord(ips, '10.232.')).toBeUndefined()
  expect(await rowsWithWord(ips, '10.232.3.2')).toHaveLength(67)
  for (const word of ['', '1', '.2', 'a\0b']) expect(await rowsWithWord(ips, word)).toBeUndefined()
  const path = `${networksPath(network.datacenter)}/action/allips?has=10.232.&limit=1`
  expect(await expectStatus(200, call('GET', path))).toMatchObject({ totalSize: FEW + 1 })
})

const unlimited: Caller = {
  id: 1,
  nick: 'unlimited',
  enterpriseId: 1,
  scope: { id: 1, allDatacenters: true, allEnterprises: true },
  privileges: new Set(),
}

test('the search of rules runs no subquery for each rule', async () => {
  const { datacenter } = await natSample()
  const { read, engine } = database()
  const condition = sql.join(isAmongMatches(unlimited, natScopeOf([datacenter]), '.1'), sql` or `)
  const explained = sql.raw(engine === 'postgres' ? 'explain' : 'explain query plan')
  const { rows } = await sql`${explained} select id from nat_rules where ${condition}`.execute(read)
  expect(JSON.stringify(rows)).not.toMatch(/SubPlan|CORRELATED/)
})
