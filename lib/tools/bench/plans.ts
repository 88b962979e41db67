import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, send, timeOf } from '#lib/tools/bench/load'
import { peakMemory } from '#lib/tools/bench/processes'
import type { Server } from '#lib/tools/bench/servers'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/* Plans of many NAT IPs and rules as CSV: how long they take, and how long a light request waits meanwhile. */

export type PlanFigure = {
  work: string
  seconds: number
  /** Milliseconds of a GET of one's own user meanwhile, every ten milliseconds. */
  longestWait: number
  p99: number
}

export type PlanReport = { database: string; figures: PlanFigure[]; peakMemory: number }

type Link = { rel: string; href: string }
type Made = { id: number; links: Link[]; refused: number; refusals: { line: number; field: string }[] }

const refer = (rel: string, path: string): Link => ({ rel, href: path })

const pathOf = ({ links }: Made, rel: string): string =>
  new URL(links.find((link) => link.rel === rel)?.href ?? '').pathname

const MACHINES = 20

/** The address of this number in 10.0.0.0/8, or as a private one in 172.16.0.0/16. */
const addressOf = (start: string, index: number): string =>
  `${start}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`

export async function measurePlans(database: string, server: Server, count: number): Promise<PlanReport> {
  const authorization = `Basic ${Buffer.from(`${adminNick}:${adminPassword}`).toString('base64')}`
  const call = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object | string,
  ): Promise<Made> => {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json'
    const headers = { authorization, accept: 'application/json', 'content-type': type }
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const sent: Call = { path: `/api${path}`, method, headers, ...(text !== undefined && { body: text }) }
    return JSON.parse(await send(server.url, sent))
  }
  await makePlace(call)
  const signedIn = await fetch(`${server.url}/api/login`, { headers: { authorization } })
  const token = `Token ${signedIn.headers.get('x-service-token')}`
  const light: Call = { path: '/api/login', headers: { authorization: token } }
  const figures: PlanFigure[] = []
  const timed = async <T>(work: string, run: () => Promise<T>): Promise<T> => {
    const { result, ...figure } = await beside(server, light, run)
    figures.push({ work, ...figure })
    return result
  }
  const undone: string[] = []
  for (const [entity, table] of [
    ['natips', ipTable(count)],
    ['natrules', ruleTable(count)],
  ] as const) {
    const path = `/plans?entity=${entity}`
    const faulty = withFault(table)
    const { refusals } = await timed(`${entity}: plan with one fault`, () => call('POST', path, faulty.table))
    if (refusals[0]?.line !== faulty.line) throw new Error(`The fault is on line ${faulty.line}`)
    const plan = await timed(`${entity}: plan`, () => call('POST', path, table))
    if (plan.refused > 0) throw new Error(JSON.stringify(plan.refusals))
    const applied = await timed(`${entity}: apply`, () => call('POST', `/plans/${plan.id}/action/apply`))
    undone.unshift(`${pathOf(applied, 'event').replace('/api', '')}/action/undo`)
    await timed(`${entity}: plan again, empty`, () => call('POST', path, table))
  }
  await timed('natrules: undo, dry run', () => call('POST', `${undone[0]}?dryrun=true`))
  await timed('natrules: undo', () => call('POST', `${undone[0]}`))
  await timed('natips: undo', () => call('POST', `${undone[1]}`))
  return { database, figures, peakMemory: peakMemory(server.pid) }
}

/** An enterprise's virtual datacenter with machines, and a network for the IPs. */
async function makePlace(call: (method: 'POST' | 'PUT', path: string, body: object) => Promise<Made>) {
  const { id: datacenter } = await call('POST', '/admin/datacenters', { name: 'Bench', location: 'Here' })
  const { id: enterprise } = await call('POST', '/admin/enterprises', { name: 'Bench' })
  const location = refer('location', `/api/cloud/locations/${datacenter}`)
  const device = await call('POST', `/cloud/locations/${datacenter}/devices`, {
    name: 'Bench',
    links: [refer('devicetype', '/api/config/devicetypes/1')],
  })
  await call('POST', `/admin/datacenters/${datacenter}/natnetworks`, {
    name: 'Bench',
    cidr: '10.0.0.0/8',
    links: [refer('device', `/api/cloud/locations/${datacenter}/devices/${device.id}`)],
  })
  const center = await call('POST', '/cloud/virtualdatacenters', {
    name: 'Bench',
    links: [refer('enterprise', `/api/admin/enterprises/${enterprise}`), location],
  })
  const home = `/cloud/virtualdatacenters/${center.id}`
  const appliance = await call('POST', `${home}/virtualappliances`, { name: 'Bench' })
  for (let index = 0; index < MACHINES; index += 1) {
    const ip = await call('POST', `${home}/privateips`, { ip: addressOf('172.16', index) })
    await call('POST', `${home}/virtualappliances/${appliance.id}/virtualmachines`, {
      name: `Bench ${index}`,
      links: [refer('nic0', `/api${home}/privateips/${ip.id}`)],
    })
  }
}

const rowsOf = (count: number, header: string, row: (index: number) => string): string =>
  [header, ...Array.from({ length: count }, (_, index) => row(index))].join('\r\n')

const natAddress = (index: number): string => addressOf(`10.${Math.floor(index / 62_500)}`, index % 62_500)

const ipTable = (count: number): string =>
  rowsOf(
    count,
    'datacenter,network,ip,available,quarantine,virtualDatacenter',
    (index) => `Bench,Bench,${natAddress(index)},true,false,Bench`,
  )

const ruleTable = (count: number): string =>
  rowsOf(
    count,
    'datacenter,network,type,protocol,original,originalPort,translated,translatedPort',
    (index) => `Bench,Bench,DNAT,TCP,${natAddress(index)},443,${addressOf('172.16', index % MACHINES)},8443`,
  )

/** The table with a malformed address in the row at about three quarters. */
function withFault(table: string): { table: string; line: number } {
  const rows = table.split('\r\n')
  const at = Math.floor(rows.length * 0.73512)
  rows[at] = rows[at]?.replace(/10\.\d+\.\d+\.\d+/, '10.0.0.300') ?? ''
  return { table: rows.join('\r\n'), line: at + 1 }
}

/** Repeats the light request while the work runs. */
export async function beside<T>(server: Pick<Server, 'url'>, light: Call, work: () => Promise<T>) {
  const agent = new Agent({ keepAlive: true })
  const waits: number[] = []
  let isOver = false
  const waiting = (async () => {
    while (!isOver) {
      waits.push(await timeOf(server.url, light, agent))
      await pause(10)
    }
  })()
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await waiting
  agent.destroy()
  waits.sort((one, other) => one - other)
  return { result, seconds, longestWait: waits.at(-1) ?? 0, p99: waits[Math.floor(waits.length * 0.99)] ?? 0 }
}

export const planRows = ({ database, figures, peakMemory: memory }: PlanReport): string =>
  [
    ...figures.map(
      ({ work, seconds, longestWait, p99 }) =>
        `${database}  ${work.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s  light request: longest ${longestWait.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    ),
    `${database}  peak memory ${memory} MB`,
  ].join('\n')
