import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiProcess, startApi } from '#lib/tools/testing/api-process'
import { admin, basicOf } from '#lib/tools/testing/client'
import { addDnat, LabCloud, type MadeCloud, NAT_IPS } from '#lib/tools/testing/gateway/cloud'
import { Lab, obstacle } from '#lib/tools/testing/gateway/lab'
import { ownDatabase } from '#lib/tools/testing/own-database'

/* The gateway and the server that answers it in production. */

const reason = obstacle()
const run = join(import.meta.dirname, '../tools/scripts/run.js')

describe.skipIf(reason !== undefined)('a gateway of the real API', { timeout: 180_000 }, () => {
  let api: ApiProcess
  let lab: Lab
  let cloud: LabCloud
  let made: MadeCloud
  let said = ''

  beforeAll(async () => {
    api = await startApi(await ownDatabase())
    cloud = new LabCloud({ url: `${api.url}/api`, authorization: basicOf(admin) })
    made = await cloud.make()
    lab = await Lab.make()
    const socket = join(tmpdir(), `api-${randomUUID()}.sock`)
    await lab.bridge(8080, socket, Number(new URL(api.url).port))
    const address = ['--api', 'http://127.0.0.1:8080/api', '--device', String(made.device)]
    const gateway = lab.start(
      'gateway',
      [process.execPath, run, 'gateway', ...address, '--interval', '1', '--metrics', '9400'],
      {
        env: { GATEWAY_TOKEN: made.token },
      },
    )
    gateway.stdout?.on('data', (piece) => {
      said += piece
    })
  }, 180_000)
  afterAll(async () => {
    await lab?.remove()
    if (!api) return
    const ended = once(api.process, 'exit')
    api.process.kill('SIGKILL')
    await ended
  })

  const soon = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 50, message: said })
  const state = () =>
    cloud.ask<{ status: string; drift: object[] }>(
      'GET',
      `/cloud/locations/${made.datacenter}/devices/${made.device}/state`,
    )
  const fetched = () => lab.get('client', { host: NAT_IPS[0], port: 80 })
  const ruleState = async (path: string) => {
    const { deviceState, packets } = await cloud.ask<{ deviceState: string; packets: number }>('GET', path)
    return { deviceState, packets }
  }

  test('applies a created rule, counts its connections, and ends it when it is deleted', async () => {
    await soon(async () => (await state()).status).toBe('insync')
    expect(await fetched()).toBe('silent')
    const rule = await addDnat(cloud, made, { originalPort: 80, translatedPort: 8000 })
    await soon(fetched).toBe('one:8000 from 198.51.100.2')
    await soon(() => ruleState(rule)).toEqual({ deviceState: 'active', packets: expect.any(Number) })
    await soon(async () => (await ruleState(rule)).packets).toBeGreaterThan(0)

    lab.run('gateway', `nft flush map ip cloud_nat_${made.device} dnat_ports`)
    await soon(async () => (await state()).status).toBe('drifted')
    expect(await fetched()).toBe('one:8000 from 198.51.100.2')
    await soon(async () => (await state()).status).toBe('insync')

    const metrics = lab.run('gateway', 'curl --silent --fail http://127.0.0.1:9400/metrics')
    expect(metrics).toContain('\ngateway_translations 1\n')
    expect(metrics).toMatch(/\ngateway_drift_total [1-9]/)
    expect(metrics).toMatch(/\ngateway_lag_seconds 0\n/)
    expect(metrics).toMatch(/\ngateway_carried_seconds_count [1-9]/)
    expect(said).toContain('"about":"drift"')

    await cloud.ask('DELETE', rule)
    await soon(fetched).toBe('silent')
    await soon(async () => (await state()).status).toBe('insync')
  })

  test('ends the connections of a narrowed and of a disabled rule within five seconds, and carries it again', async () => {
    const rule = await addDnat(cloud, made, { originalPort: 90, translatedPort: 8000 })
    const change = async (fields: object) =>
      cloud.ask('PUT', rule, { ...(await cloud.ask<object>('GET', rule)), ...fields })
    await change({ originalPortEnd: 99 })
    const open = (port: number) => lab.get('client', { host: NAT_IPS[0], port, kept: true })
    await soon(() => open(95)).toBe('one:8000 from 198.51.100.2')
    await soon(() => open(90)).toBe('one:8000 from 198.51.100.2')
    const connections = () =>
      lab.run('gateway', `conntrack -L -p tcp --orig-dst ${NAT_IPS[0]} --state ESTABLISHED 2>/dev/null`)
    const within = (what: () => unknown) => expect.poll(what, { timeout: 5000, interval: 50, message: said })
    await change({ originalPortEnd: 94 })
    await within(connections).not.toContain('dport=95')
    expect(connections()).toContain('dport=90')
    await change({ enabled: false })
    await within(connections).toBe('')
    expect(await open(90)).toBe('silent')
    await change({ enabled: true, sources: ['198.51.100.0/24'] })
    await soon(() => open(90)).toBe('one:8000 from 198.51.100.2')
    await change({ sources: ['203.0.113.0/24'] })
    await within(connections).toBe('')
    expect(await open(90)).toBe('silent')
    await cloud.ask('DELETE', rule)
  })
})
