import { type ApiProcess, ask } from '#lib/tools/testing/api-process'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'
import {
  deviceName,
  isAcknowledged,
  isPlanned,
  type Outcome,
  PLANNED,
  quarantined,
  RUN,
  reported,
} from '#lib/tools/testing/write-load'

/* The result of a load (lib/tools/testing/write-load.ts): acknowledged writes that are missing, and partial writes. */

type Event = {
  entityName: string
  action: string
  changes: Record<string, { before?: string; after?: string }>
}
type List = {
  totalSize: number
  collection: { id: number; name: string; ip: string; quarantine: boolean }[]
}
type State = { translations?: number; drift?: { reason: string }[]; status: string }

type Read = <Document>(path: string) => Promise<Document>

const reading =
  (server: Pick<ApiProcess, 'url'>): Read =>
  async (path) => {
    const answer = await ask(server, path, { as: { nick: adminNick, password: adminPassword } })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as never
  }

/** The rows that these events count. */
const counted = (events: Event[]): number =>
  events.reduce((sum, { changes }) => sum + Number(changes.count?.after ?? 0), 0)

/** The reports of a writer's gateway, and the faults of its state and events: each report changed the status. */
async function reportsOf(
  read: Read,
  events: Event[],
  device: { name: string; path: string },
  writer: number,
) {
  const { translations = 0, drift = [] } = await read<State>(`${device.path}/state`)
  const expected = translations % 2 === 1 ? [String(translations)] : []
  const isWhole = String(drift.map(({ reason }) => reason)) === String(expected)
  const own = events.filter(
    ({ entityName, action }) => entityName === device.name && action === 'change-status',
  )
  const isChain = own.every(
    ({ changes }, at) => at === 0 || changes.status?.before === own[at - 1]?.changes.status?.after,
  )
  return {
    names: Array.from({ length: translations }, (_, at) => reported(writer, at + 1)),
    half: isWhole && isChain && own.length === translations ? [] : [`reports of ${device.name}`],
  }
}

const allReports = async (read: Read, devicesPath: string) => {
  const devices = await read<List>(`${devicesPath}?limit=0`)
  const { collection: events } = await read<{ collection: Event[] }>(
    '/api/events?entity=device&by=id&asc=true&limit=0',
  )
  const ours = devices.collection.flatMap(({ id, name }) => {
    const writer = [0, 1, 2, 3].find((number) => deviceName(number) === name)
    return writer === undefined ? [] : [{ device: { name, path: `${devicesPath}/${id}` }, writer }]
  })
  return Promise.all(ours.map(({ device, writer }) => reportsOf(read, events, device, writer)))
}

/** Acknowledged writes of a load that are missing, partial writes, and differences between rows and events. */
export async function inspect(
  server: Pick<ApiProcess, 'url'>,
  outcomes: readonly Outcome[],
): Promise<{ present: number; lost: string[]; half: string[] }> {
  const read = reading(server)
  const datacenters = await read<List>('/api/admin/datacenters?limit=0')
  const id = datacenters.collection.find(({ name }) => name === 'Of the network')?.id
  const ips = await read<List>(`/api/admin/datacenters/${id}/natnetworks/action/allips?limit=0`)
  const scopes = (await read<List>('/api/admin/scopes?limit=0')).collection.filter(({ name }) =>
    isPlanned(name),
  )
  const { collection: events } = await read<{ collection: Event[] }>('/api/events?limit=0')
  const reports = await allReports(read, `/api/cloud/locations/${id}/devices`)
  const changed = ips.collection.filter(({ quarantine }) => quarantine)
  const names = [...datacenters.collection, ...scopes].map(({ name }) => name)
  const there = new Set([
    ...names,
    ...ips.collection.map(({ ip }) => ip),
    ...changed.map((ip) => quarantined(ip.id)),
    ...reports.flatMap((each) => each.names),
  ])
  const created = new Set(
    events.filter(({ action }) => action === 'create').map(({ entityName }) => entityName),
  )
  const changing = events.filter(({ changes }) => changes.quarantine !== undefined)
  const applied = events.filter(({ action }) => action === 'apply-plan')
  const partial = outcomes.filter(({ parts }) => ![0, parts.length].includes(present(parts, there)))
  const half = [
    ...names.filter((name) => !created.has(name)),
    ...[...created].filter((name) => /^(Written|Planned) \d/.test(name) && !there.has(name)),
    ...partial.map(({ parts }) => parts.join()),
    ...reports.flatMap((each) => each.half),
    ...(ips.collection.length === ips.totalSize ? [] : ['total of NAT IPs']),
    ...(ips.collection.length % RUN === 0 ? [] : ['run of NAT IPs']),
    ...(changed.length === counted(changing) ? [] : ['events of bulk changes']),
    ...(scopes.length === applied.length * PLANNED ? [] : ['events of plans']),
  ]
  const lost = outcomes
    .filter(isAcknowledged)
    .flatMap(({ parts }) => parts.filter((part) => !there.has(part)))
  const writes = [
    datacenters.collection.length - 1,
    (ips.collection.length + changed.length) / RUN,
    applied.length,
    reports.flatMap((each) => each.names).length,
  ]
  return { present: writes.reduce((sum, each) => sum + each), lost, half }
}

const present = (parts: readonly string[], there: ReadonlySet<string>): number =>
  parts.filter((part) => there.has(part)).length
