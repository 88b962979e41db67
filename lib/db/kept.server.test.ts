import { expect, onTestFinished, test } from 'vitest'
import { closeDatabase, database, openDatabase, type Trx, transaction } from '#lib/db/db.server'
import { versionOfData } from '#lib/db/dialect.server'
import { cachedUntilWrite } from '#lib/db/kept.server'
import { withSnapshot } from '#lib/db/moment.server'
import { env } from '#lib/env.server'
import { call, expectStatus, newEnterprise, unique } from '#lib/testing/client'
import { addIps, networksPath, newDatacenter, newNetwork } from '#lib/testing/nat'
import { natSample } from '#lib/testing/nat-sample'

let sought = 0
const seek = (key: string) =>
  cachedUntilWrite(
    key,
    () => 1,
    async () => {
      sought += 1
      return `${key} ${sought}`
    },
  )

const version = () => versionOfData(database().read, database().engine)

/** Runs the work while no other test commits anything: each turn gets a key of its own. */
async function undisturbed(work: (key: string) => Promise<void>): Promise<void> {
  for (let [before, after] = ['', 'another']; before !== after; ) {
    sought = 0
    before = await version()
    await work(unique('key'))
    after = await version()
  }
}

test('what is asked for again, or twice at once, is sought once', async () => {
  let found: string[] = []
  await undisturbed(async (key) => {
    found = await Promise.all([seek(key), seek(key)])
    found.push(await seek(key))
  })
  const [one] = found
  expect(found).toEqual([one, one, one])
  expect(sought).toBe(1)
})

const note = (trx: Trx) =>
  trx
    .insertInto('ended_sessions')
    .values({ id: unique('ended'), expires_at: Date.now() })
    .execute()

test('what is written makes it be sought again: by others from the next request on, by the request itself at once', async () => {
  const another = openDatabase(env())
  onTestFinished(() => closeDatabase(another))
  const key = unique('key')
  const first = await seek(key)
  await newEnterprise()
  expect(await seek(key)).not.toBe(first)
  await withSnapshot(async () => {
    const second = await seek(key)
    await another.write.transaction().execute(note)
    expect(await seek(key)).toBe(second)
    await transaction(note)
    expect(await seek(key)).not.toBe(second)
  })
})

test('what fails is not kept', async () => {
  const fails = () =>
    cachedUntilWrite(
      'wrong',
      () => 1,
      () => Promise.reject(new Error('nowhere')),
    )
  await expect(fails()).rejects.toThrow('nowhere')
  const mended = cachedUntilWrite(
    'wrong',
    () => 1,
    async () => 'right',
  )
  expect(await mended).toBe('right')
})

test('a cached page is served until an address is added, and never to another caller', async () => {
  const network = await newNetwork({ datacenter: (await newDatacenter()).id, cidr: '10.233.0.0/24' })
  await addIps(network, { count: 2 })
  const path = `${networksPath(network.datacenter)}/${network.id}/ips?limit=5`
  const first = await expectStatus(200, call('GET', path))
  for (const _ of ['sought again', 'kept']) expect(await expectStatus(200, call('GET', path))).toEqual(first)
  const asXml = await call('GET', path, { headers: { accept: 'application/xml' } })
  expect(await asXml.text()).toContain('<totalSize>2</totalSize>')
  await addIps(network, { count: 1 })
  expect(await expectStatus(200, call('GET', path))).toMatchObject({ totalSize: 3 })

  const { datacenter, limited } = await natSample()
  const attached = `${networksPath(datacenter.id)}/action/allips?limit=5&attached=true`
  const seen = await call('GET', attached)
  const seenByLimited = await call('GET', attached, { as: limited })
  expect(await seenByLimited.json()).not.toEqual(await seen.json())
})
