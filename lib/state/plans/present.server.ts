import { type SqlBool, sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { can, type Privilege } from '#lib/caller/auth/privileges'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { scopeColumns, visibleScopes } from '#lib/caller/scopes/scopes.server'
import { seesDatacenter, seesEnterprise, seesMachine } from '#lib/caller/scopes/visibility.server'
import { ipNotes } from '#lib/cloud/nat/ip-notes.server'
import { networkNotes } from '#lib/cloud/nat/networks.server'
import { settingColumns, settingsOf } from '#lib/cloud/nat/rule-settings.server'
import type { NatProtocol } from '#lib/cloud/nat/rules.schema'
import { chunksOf } from '#lib/db/chunks'
import { endsText } from '#lib/ground/http/ends.schema'
import { ApiError } from '#lib/ground/http/errors'
import { enterpriseColumns, visibleEnterprises } from '#lib/people/identity/enterprises.server'
import { roleColumns, visibleRoles } from '#lib/people/identity/roles.server'
import { userColumns, visibleUsers } from '#lib/people/identity/users.server'
import { itemKindOf } from '#lib/state/plans/items'
import {
  type ExportEntity,
  type ExportItem,
  exportEntities,
  exportItems,
} from '#lib/state/plans/plans.schema'

/* The visible resources by names, in batches: for an export, and for the comparison of a plan. */

/** An item: its path below {api}, and the virtual datacenter that holds a NAT IP. */
export type Present<Entity extends ExportEntity = ExportEntity> = {
  path: string
  holder?: number
  item: ExportItem<Entity>
}

/** Only items with these addresses (keys, by network). */
export type Narrowed = Map<number, string[]>

export type Batches<Entity extends ExportEntity = ExportEntity> = AsyncGenerator<Present<Entity>[]>

/** Rows that are read at a time. */
const BATCH = 1000

/** In the order of the document, without other members. */
const inOrder = <Entity extends ExportEntity>(entity: Entity, item: ExportItem<Entity>) =>
  Object.fromEntries(
    Object.keys(exportItems[entity].shape).map((name) => [name, item[name as keyof typeof item]]),
  ) as ExportItem<Entity>

const sorted = (names: string[]): string[] => names.sort()

async function* whole<Entity extends ExportEntity>(rows: Promise<Present<Entity>[]>): Batches<Entity> {
  for (const batch of chunksOf(await rows, BATCH)) yield batch
}

async function enterprises({ caller, db }: ReadContext): Promise<Present<'enterprises'>[]> {
  const rows = await visibleEnterprises(db, caller)
    .orderBy('enterprises.name_key')
    .orderBy('enterprises.id')
    .execute()
  return rows.map((row) => ({
    path: pathOf(kinds.enterprise, { id: row.id }),
    item: { ...enterpriseColumns.read(row), scope: row.scope_name ?? '' },
  }))
}

/** The names of the enterprises or datacenters in each scope, without those that the caller does not see. */
async function contents({ caller, db }: ReadContext, table: 'enterprises' | 'datacenters') {
  const column = table === 'enterprises' ? 'enterprise_id' : 'datacenter_id'
  const sees =
    table === 'enterprises' ? seesEnterprise(caller, 'entity.id') : seesDatacenter(caller, 'entity.id')
  const { rows } = await sql<{ scope: number; name: string }>`
    select scope_entities.scope_id as scope, entity.name from scope_entities
    join ${sql.table(table)} entity on entity.id = ${sql.ref(`scope_entities.${column}`)}
    where ${sees}`.execute(db)
  const byScope = Map.groupBy(rows, ({ scope }) => scope)
  return (scope: number) => sorted((byScope.get(scope) ?? []).map(({ name }) => name))
}

async function scopes({ caller, db }: ReadContext): Promise<Present<'scopes'>[]> {
  const rows = await visibleScopes(db, caller).orderBy('scopes.name_key').orderBy('scopes.id').execute()
  const enterprisesOf = await contents({ caller, db }, 'enterprises')
  const datacentersOf = await contents({ caller, db }, 'datacenters')
  return rows.map((row) => ({
    path: pathOf(kinds.scope, { id: row.id }),
    item: inOrder('scopes', {
      ...scopeColumns.read(row),
      parent: row.parent_name ?? '',
      enterprises: enterprisesOf(row.id),
      datacenters: datacentersOf(row.id),
    }),
  }))
}

async function roles({ caller, db }: ReadContext): Promise<Present<'roles'>[]> {
  const rows = await visibleRoles(db, caller).orderBy('roles.name_key').orderBy('roles.id').execute()
  const held = await db.selectFrom('role_privileges').select(['role_id', 'privilege']).execute()
  const byRole = Map.groupBy(held, ({ role_id }) => role_id)
  return rows.map(({ id, enterprise_name, scope_name, ...row }) => ({
    path: pathOf(kinds.role, { id }),
    item: inOrder('roles', {
      ...roleColumns.read(row),
      enterprise: enterprise_name ?? '',
      scope: scope_name ?? '',
      privileges: sorted((byRole.get(id) ?? []).map(({ privilege }) => privilege)),
    }),
  }))
}

async function users({ caller, db }: ReadContext): Promise<Present<'users'>[]> {
  const rows = await visibleUsers(db, caller).orderBy('users.nick_key').orderBy('users.id').execute()
  return rows.map((row) => ({
    path: pathOf(kinds.user, { enterprise: row.enterprise_id, id: row.id }),
    item: inOrder('users', {
      ...userColumns.read(row),
      ends: endsText(row.ends_at),
      enterprise: row.enterprise_name,
      role: row.role_name ?? '',
      scope: row.scope_name ?? '',
    }),
  }))
}

/** The NAT networks that the caller sees, in the order of their datacenters and names. */
export const visibleNetworks = ({ caller, db }: ReadContext) =>
  db
    .selectFrom('nat_networks')
    .innerJoin('datacenters', 'datacenters.id', 'nat_networks.datacenter_id')
    .innerJoin('devices', 'devices.id', 'nat_networks.device_id')
    .where(seesDatacenter(caller, 'nat_networks.datacenter_id'))
    .select(['nat_networks.id', 'nat_networks.datacenter_id', 'nat_networks.name', 'nat_networks.cidr'])
    .select(['datacenters.name as datacenter', 'devices.name as device', ...networkNotes.select])
    .orderBy('datacenters.name_key')
    .orderBy('datacenters.id')
    .orderBy('nat_networks.name_key')
    .orderBy('nat_networks.id')
    .execute()

type Network = Awaited<ReturnType<typeof visibleNetworks>>[number]

const networkPath = ({ id, datacenter_id }: Network): string =>
  pathOf(kinds.natnetwork, { datacenter: datacenter_id, id })

async function natnetworks(context: ReadContext): Promise<Present<'natnetworks'>[]> {
  const rows = await visibleNetworks(context)
  return rows.map((row) => ({
    path: networkPath(row),
    item: {
      datacenter: row.datacenter,
      name: row.name,
      cidr: row.cidr,
      device: row.device,
      ...networkNotes.read(row),
    },
  }))
}

/** The keys of each network to read: those of the narrowed list, or all, page by page. */
type Piece = { after: { ip_key: string; id: number } } | { keys: string[] }

type ReadPiece<Entity extends ExportEntity> = (
  network: Network,
  piece: Piece,
) => Promise<{ present: Present<Entity>; ip_key: string; id: number }[]>

async function* ofNetworks<Entity extends ExportEntity>(
  context: ReadContext,
  narrowed: Narrowed | undefined,
  read: ReadPiece<Entity>,
): Batches<Entity> {
  for (const network of await visibleNetworks(context)) {
    if (narrowed) {
      for (const keys of chunksOf(narrowed.get(network.id) ?? [], BATCH))
        yield (await read(network, { keys })).map(({ present }) => present)
      continue
    }
    let after = { ip_key: '', id: 0 }
    for (;;) {
      const rows = await read(network, { after })
      if (rows.length > 0) yield rows.map(({ present }) => present)
      after = rows.at(-1) ?? after
      if (rows.length < BATCH) break
    }
  }
}

/** The rows of a piece, of a table with these columns. */
const within = (table: 'nat_ips' | 'nat_rules', piece: Piece) => {
  const [key, id] = [sql.ref(`${table}.ip_key`), sql.ref(`${table}.id`)]
  if ('keys' in piece) return sql<SqlBool>`${key} in (${sql.join(piece.keys)})`
  const { after } = piece
  return sql<SqlBool>`${key} >= ${after.ip_key} and (${key} > ${after.ip_key} or ${id} > ${after.id})`
}

const limitOf = (piece: Piece): number | undefined => ('keys' in piece ? undefined : BATCH)

const natips = (context: ReadContext, narrowed?: Narrowed): Batches<'natips'> =>
  ofNetworks(context, narrowed, async (network, piece) => {
    const { caller, db } = context
    const limit = limitOf(piece)
    const rows = await db
      .selectFrom('nat_ips')
      .leftJoin('virtual_datacenters', (join) =>
        join
          .onRef('virtual_datacenters.id', '=', 'nat_ips.virtual_datacenter_id')
          .on(seesEnterprise(caller, 'virtual_datacenters.enterprise_id')),
      )
      .leftJoin('enterprises', 'enterprises.id', 'virtual_datacenters.enterprise_id')
      .where('nat_ips.nat_network_id', '=', network.id)
      .where(within('nat_ips', piece))
      .select(['nat_ips.id', 'nat_ips.ip', 'nat_ips.ip_key', 'nat_ips.available', 'nat_ips.quarantine'])
      .select(['nat_ips.default_snat', 'nat_ips.ends_at', 'virtual_datacenters.id as holder'])
      .select(['nat_ips.virtual_datacenter_id', ...ipNotes.select])
      .select(['virtual_datacenters.name as virtualDatacenter', 'enterprises.name as enterprise'])
      .orderBy('nat_ips.ip_key')
      .orderBy('nat_ips.id')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute()
    return rows.map((row) => ({
      id: row.id,
      ip_key: row.ip_key,
      present: {
        path: `${networkPath(network)}/ips/${row.id}`,
        ...(row.holder !== null && { holder: row.holder }),
        item: {
          datacenter: network.datacenter,
          network: network.name,
          ip: row.ip,
          available: row.available === 1,
          quarantine: row.quarantine === 1,
          defaultSnat: row.default_snat === 1,
          virtualDatacenter: row.virtualDatacenter ?? '',
          enterprise: row.enterprise ?? '',
          ...(row.holder === row.virtual_datacenter_id ? ipNotes.read(row) : noNotes),
          ends: endsText(row.holder === null ? null : row.ends_at),
        },
      },
    }))
  })

/** The rules of visible machines: rules of other machines cannot be named, and the caller's operations do not affect them. */
const natrules = (context: ReadContext, narrowed?: Narrowed): Batches<'natrules'> =>
  ofNetworks(context, narrowed, async (network, piece) => {
    const { caller, db } = context
    const limit = limitOf(piece)
    const rows = await db
      .selectFrom('nat_rules')
      .innerJoin('nat_ips', 'nat_ips.id', 'nat_rules.nat_ip_id')
      .innerJoin('private_ips', 'private_ips.id', 'nat_rules.private_ip_id')
      .innerJoin('virtual_machines', 'virtual_machines.id', 'nat_rules.virtual_machine_id')
      .innerJoin('virtual_datacenters as center', 'center.id', 'virtual_machines.virtual_datacenter_id')
      .where('nat_rules.nat_network_id', '=', network.id)
      .where(within('nat_rules', piece))
      .where(seesMachine(caller))
      .select(['nat_rules.id', 'nat_rules.ip_key', 'nat_rules.snat', 'nat_rules.protocol'])
      .select(settingColumns.map((column) => `nat_rules.${column}` as const))
      .select(['nat_ips.ip', 'center.name as center'])
      .select(['private_ips.ip as inside', 'virtual_machines.id as machine', 'virtual_machines.name'])
      .select(['virtual_machines.virtual_datacenter_id', 'virtual_machines.virtual_appliance_id'])
      .orderBy('nat_rules.ip_key')
      .orderBy('nat_rules.id')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute()
    return rows.map((row) => {
      const [original, translated] = row.snat === 1 ? [row.inside, row.ip] : [row.ip, row.inside]
      return {
        id: row.id,
        ip_key: row.ip_key,
        present: {
          path: pathOf(kinds.natrule, {
            virtualdatacenter: row.virtual_datacenter_id,
            virtualappliance: row.virtual_appliance_id,
            virtualmachine: row.machine,
            id: row.id,
          }),
          item: {
            datacenter: network.datacenter,
            network: network.name,
            type: row.snat === 1 ? ('SNAT' as const) : ('DNAT' as const),
            ...(row.protocol !== null && { protocol: row.protocol as NatProtocol }),
            original,
            translated,
            ...settingsOf(row),
            virtualDatacenter: row.center,
            virtualMachine: row.name,
          },
        },
      }
    })
  })

type Sources = { [Entity in ExportEntity]: (context: ReadContext, narrowed?: Narrowed) => Batches<Entity> }

/** Each list, in the order of names, or of networks and addresses. Only lists of NAT items can be narrowed. */
const sources: Sources = {
  enterprises: (context) => whole(enterprises(context)),
  scopes: (context) => whole(scopes(context)),
  roles: (context) => whole(roles(context)),
  users: (context) => whole(users(context)),
  natnetworks: (context) => whole(natnetworks(context)),
  natips,
  natrules,
}

export const presentOf = (entity: ExportEntity, context: ReadContext, narrowed?: Narrowed): Batches =>
  sources[entity](context, narrowed)

/** The privileges of the operations by which a plan changes a list, where others than its writers change it too. */
const more: Partial<Record<ExportEntity, readonly Privilege[]>> = {
  natnetworks: kinds.natnetwork.readers,
  natips: ['MANAGE_NATIPS'],
}

export const planWriters = (entity: ExportEntity): readonly Privilege[] => [
  ...(more[entity] ?? []),
  ...itemKindOf(entity).writers,
]

/** The privileges of a caller who may change anything by a plan. */
export const anyPlanWriter: readonly Privilege[] = [...new Set(exportEntities.flatMap(planWriters))]

export const isReadable = ({ caller }: Pick<ReadContext, 'caller'>, entity: ExportEntity): boolean =>
  can(caller, itemKindOf(entity).readers)

/** Throws 403 for a list that the caller may not read. */
export function requireReadable(context: Pick<ReadContext, 'caller'>, entity: ExportEntity): void {
  if (!isReadable(context, entity)) throw new ApiError('403-FORBIDDEN')
}
