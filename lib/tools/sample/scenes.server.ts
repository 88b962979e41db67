import { database } from '#lib/db/db.server'
import type { Visits } from '#lib/tools/sample/visits.server'

/** An event of the sample: this many days before today, at this hour (UTC). */
export type Scene = { day: number; hour: number; play: (visits: Visits) => Promise<void> }

export const PLATFORM = 'marta.ibanez'
export const OPERATORS = ['sven.hoffmann', 'tomoko.tanaka'] as const

/** The id of the row with this name. The sample gives each name of a kind once. */
export async function idOf(
  table: 'scopes' | 'roles' | 'enterprises' | 'datacenters' | 'nat_networks',
  name: string,
): Promise<number> {
  const row = await database()
    .read.selectFrom(table)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirstOrThrow(() => new Error(`${name} is not in ${table}`))
  return row.id
}

/** The users who can sign in, in the order of their ids. */
export const activeUsers = () =>
  database()
    .read.selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .where('users.active', '=', 1)
    .where('users.first_login', '=', 0)
    .select(['users.id', 'users.nick', 'users.enterprise_id'])
    .select(['roles.name as role', 'enterprises.name as enterprise'])
    .orderBy('users.id')
    .execute()

/** The nick of the first user with this role in the enterprise. */
export async function nickOf(enterprise: string, role: string): Promise<string> {
  const found = (await activeUsers()).find((user) => user.enterprise === enterprise && user.role === role)
  if (!found) throw new Error(`${enterprise} has no ${role}`)
  return found.nick
}

/** The virtual datacenters that their enterprise's scope shows, with a datacenter of this id. */
export const centersIn = (datacenter: number) =>
  database()
    .read.selectFrom('virtual_datacenters')
    .innerJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
    .innerJoin('scope_entities', 'scope_entities.scope_id', 'enterprises.default_scope_id')
    .whereRef('scope_entities.datacenter_id', '=', 'virtual_datacenters.datacenter_id')
    .where('virtual_datacenters.datacenter_id', '=', datacenter)
    .select(['virtual_datacenters.id', 'virtual_datacenters.enterprise_id'])
    .orderBy('virtual_datacenters.id')
    .execute()

/** The nicks of the users who attach IPs for an enterprise. */
export async function holdersOf(enterprise: number): Promise<string[]> {
  const users = await activeUsers()
  return users
    .filter(
      ({ enterprise_id, role }) => enterprise_id === enterprise && /^(ENTERPRISE_ADMIN|USER)$/.test(role),
    )
    .map(({ nick }) => nick)
}

/** The lowest or the highest free IP of a network. */
export const freeIpOf = (network: number, end: 'asc' | 'desc') =>
  database()
    .read.selectFrom('nat_ips')
    .where('nat_network_id', '=', network)
    .where('virtual_datacenter_id', 'is', null)
    .where('available', '=', 1)
    .where('quarantine', '=', 0)
    .select(['id', 'ip', 'datacenter_id', 'nat_network_id'])
    .orderBy('ip_key', end)
    .executeTakeFirstOrThrow()
