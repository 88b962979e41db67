import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Translation } from '#lib/gateway/elements'
import { FakeApi } from '#lib/tools/testing/gateway/fake-api'
import { Lab, machines, obstacle } from '#lib/tools/testing/gateway/lab'

/* A reading of the table takes long with many rules. Here nft stands still until the test lets it go on. */

const NAT = '203.0.113.1'
const run = join(import.meta.dirname, '../tools/scripts/run.js')

const dnat = (rule: number, natPort: number): Translation => ({
  kind: 'dnat',
  rule,
  protocol: 'TCP',
  natIp: NAT,
  natPort,
  privateIp: machines.one,
  privatePort: 8000,
})

describe.skipIf(obstacle() !== undefined)('while the table is read', { timeout: 120_000 }, () => {
  let lab: Lab
  let api: FakeApi
  let folder: string
  let said = ''

  beforeAll(async () => {
    lab = await Lab.make()
    folder = await mkdtemp(join(tmpdir(), 'slow-nft-'))
    const nft = join(folder, 'nft')
    const isListing = `case "$*" in "-j list table ip "*)`
    // `slow` is where the listing stands still: before it prints, between two pieces of it, or for half a second.
    const wait = `found=$(PATH=/usr/sbin:/sbin:/bin nft "$@"); code=$?; touch ${folder}/listed
      if [ "$(cat ${folder}/slow)" = between ]; then printf %.20s "$found"; found=$(printf %s "$found" | tail -c +21); fi
      while [ -e ${folder}/slow ]; do sleep 0.5; [ "$(cat ${folder}/slow)" = late ] && break; done
      printf %s "$found"; exit $code;;`
    await writeFile(nft, `#!/bin/sh\n${isListing}\n${wait}\nesac\nPATH=/usr/sbin:/sbin:/bin exec nft "$@"\n`)
    await chmod(nft, 0o755)
    const socket = FakeApi.socketOf(lab.name('gateway'))
    await lab.relay(9000, socket)
    api = await FakeApi.start([dnat(1, 80), dnat(2, 81)], socket)
    const words = ['--api', 'http://127.0.0.1:9000/api', '--device', '1', '--interval', '4']
    const gateway = lab.start('gateway', [process.execPath, run, 'gateway', ...words], {
      env: { GATEWAY_TOKEN: 'sat_test', PATH: `${folder}:${process.env.PATH}` },
    })
    gateway.stderr?.on('data', (piece) => {
      said += piece
    })
  }, 120_000)
  afterAll(async () => {
    await lab?.remove()
    await api?.stop()
    if (folder) await rm(folder, { recursive: true })
  })

  const soon = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 50, message: said })
  const fetched = (port: number) => lab.get('client', { host: NAT, port })
  const isListed = () => lab.run('gateway', `sh -c '[ -e ${folder}/listed ] && echo yes || echo no'`).trim()

  test.each(['before', 'between'])('%s its pieces, changes are carried, and are no drift', async (when) => {
    api.say([dnat(1, 80), dnat(2, 81)])
    await soon(() => fetched(81)).toContain('one:8000')
    await soon(() => api.last).toMatchObject({ revision: api.revision, drift: [] })
    api.states.length = 0
    await writeFile(join(folder, 'slow'), when)
    await rm(join(folder, 'listed'), { force: true })
    await soon(isListed).toBe('yes')
    for (const port of [82, 83, 84]) {
      api.say([dnat(1, 80), dnat(3, port)])
      await soon(() => fetched(port)).toContain('one:8000')
      expect(await fetched(port - 1)).toBe('silent')
      await soon(() => api.last?.revision).toBe(api.revision)
    }
    const reports = api.states.length
    await rm(join(folder, 'slow'))
    await soon(() => api.states.length).toBeGreaterThan(reports + 2)
    expect(api.states.flatMap(({ drift }) => drift)).toEqual([])
    expect([await fetched(80), await fetched(84)]).toEqual(Array(2).fill('one:8000 from 198.51.100.2'))

    lab.run('gateway', `nft flush map ip cloud_nat_1 dnat_ports`)
    await soon(() => api.states.flatMap(({ drift }) => drift).map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([1, 3]),
    )
    await soon(() => fetched(84)).toContain('one:8000')
  })

  test('a change of a rule that another program deleted is carried before the reading finds that', async () => {
    api.say([dnat(1, 80), dnat(2, 90)])
    await soon(() => fetched(90)).toContain('one:8000')
    await soon(() => api.last).toMatchObject({ revision: api.revision, drift: [] })
    await writeFile(join(folder, 'slow'), 'before')
    await rm(join(folder, 'listed'), { force: true })
    try {
      lab.run('gateway', 'nft delete element ip cloud_nat_1 dnat_ports { 203.0.113.1 . tcp . 90 }')
      await soon(isListed).toBe('yes')
      api.say([dnat(1, 80), dnat(2, 91)])
      await expect.poll(() => fetched(91), { timeout: 5000, interval: 50 }).toContain('one:8000')
      expect(await fetched(90)).toBe('silent')
    } finally {
      await rm(join(folder, 'slow'))
    }
    await soon(() => api.last).toMatchObject({ revision: api.revision, drift: [] })
  })

  test('and changes follow each other, a foreign change is repaired', async () => {
    api.say([dnat(1, 80)])
    await soon(() => api.last).toMatchObject({ revision: api.revision, drift: [] })
    await writeFile(join(folder, 'slow'), 'late')
    api.states.length = 0
    let port = 100
    const changes = setInterval(() => {
      port += 1
      api.say([dnat(1, 80), dnat(3, port)])
    }, 150)
    try {
      lab.run('gateway', 'nft delete element ip cloud_nat_1 dnat_ports { 203.0.113.1 . tcp . 80 }')
      const drifted = () => new Set(api.states.flatMap(({ drift }) => drift.map(({ rule }) => rule)))
      await soon(drifted).toEqual(new Set([1]))
      await soon(() => fetched(80)).toContain('one:8000')
    } finally {
      clearInterval(changes)
      await rm(join(folder, 'slow'))
    }
    await soon(() => fetched(port)).toContain('one:8000')
  })
})
