import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseCluster, queryNode } from '#lib/tools/testing/cluster/database'
import type { Arrival, End, JournalEvent } from '#lib/tools/testing/cluster/history'
import type { ClientFixture } from '#lib/tools/testing/cluster/place'

/* The state at the end of an experiment. */

type Reading = { url: string; start: number; place: ClientFixture; database: DatabaseCluster }

const JOURNAL = `select id, timestamp as at, action, entity_type as entity, entity_name as name, undoes,
  cast(changes as json) #>> '{count,after}' as count from events order by transaction_number, id`

export async function readJournal(database: DatabaseCluster, start: number): Promise<JournalEvent[]> {
  const leader = await database.leader()
  if (!leader) throw new Error('the database has no primary')
  const rows = await queryNode<Record<keyof JournalEvent, string | null>>(leader, JOURNAL)
  return rows.map(({ id, at, action, entity, name, undoes, count }) => ({
    id: Number(id),
    at: Number(at) - start,
    action: action ?? '',
    entity: entity ?? '',
    name: name ?? '',
    ...(undoes !== null && { undoes: Number(undoes) }),
    ...(count !== null && { count: Number(count) }),
  }))
}

type Ip = { ip: string; quarantine: boolean }
type Network = { network: string; ips: Ip[]; isTotalWrong: boolean }

export async function readEnd({
  url,
  start,
  place,
  database,
}: Reading): Promise<Omit<End, 'feed' | 'hooks' | 'unsure'>> {
  const read = async <Document>(path: string): Promise<Document> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${place.token}` } })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Document
  }
  const list = async <Item>(path: string) =>
    (await read<{ collection: Item[] }>(`${path}?limit=0`)).collection
  const networks = Object.entries(place.networks).map(async ([network, path]): Promise<Network> => {
    const [ips, stored] = [await list<Ip>(`${path}/ips`), await read<{ ips: number }>(path)]
    return { network, ips, isTotalWrong: stored.ips !== ips.length }
  })
  const known = await Promise.all(networks)
  const datacenters = await list<{ name: string; location: string }>('/api/admin/datacenters')
  const registers = datacenters
    .filter(({ name }) => Object.hasOwn(place.registers, name))
    .map(({ name, location }) => [name, { value: Number(location.split(' ', 1)[0]), text: location }])
  return {
    names: datacenters.map(({ name }) => name),
    scopes: (await list<{ name: string }>('/api/admin/scopes')).map(({ name }) => name),
    networks: Object.fromEntries(known.map(({ network, ips }) => [network, ips])),
    registers: Object.fromEntries(registers) as End['registers'],
    journal: await readJournal(database, start),
    wrongTotals: known.filter(({ isTotalWrong }) => isTotalWrong).length,
  }
}

/** Waits until all of these exist, within a limit: the checker reports missing ones. */
export async function catchesUp(
  expected: readonly { id: number }[],
  arrived: readonly Arrival[],
  patience: number,
): Promise<void> {
  const isThere = () => {
    const there = new Set(arrived.map(({ id }) => id))
    return expected.every(({ id }) => there.has(id))
  }
  for (const deadline = Date.now() + patience; !isThere() && Date.now() < deadline; ) await delay(500)
}
