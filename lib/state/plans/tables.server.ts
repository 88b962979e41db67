import { z } from 'zod'
import type { ReadContext } from '#lib/caller/auth/context.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { listScopes, scopeCsv } from '#lib/caller/scopes/scopes.server'
import { natIpCsv } from '#lib/cloud/nat/ips.csv'
import { allIpQuery } from '#lib/cloud/nat/ips.schema'
import { listIps } from '#lib/cloud/nat/ips.server'
import { listAllNetworks } from '#lib/cloud/nat/network-lists.server'
import { natNetworkCsv } from '#lib/cloud/nat/networks.csv'
import { allNatNetworkListQuery } from '#lib/cloud/nat/networks.schema'
import { natRuleCsv } from '#lib/cloud/nat/rules.csv'
import { allRuleQuery } from '#lib/cloud/nat/rules.schema'
import { listRules } from '#lib/cloud/nat/rules.server'
import { type Csv, namesInCell, unguarded } from '#lib/ground/http/csv'
import { ApiError, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { queryFaults } from '#lib/ground/http/issues'
import { ANY_ID } from '#lib/ground/http/path-ids'
import { type CsvRow, csvRows } from '#lib/ground/http/read-csv.server'
import type { Listing } from '#lib/ground/http/render.server'
import { urlOf } from '#lib/ground/http/route.server'
import { ownLink } from '#lib/ground/http/view'
import { enterpriseCsv, listEnterprises } from '#lib/people/identity/enterprises.server'
import { listRoles, roleCsv } from '#lib/people/identity/roles.server'
import { userQuery } from '#lib/people/identity/users.schema'
import { listUsers, userCsv } from '#lib/people/identity/users.server'
import { identityOf } from '#lib/state/plans/items'
import { type ExportEntity, planQuery, wantedItems } from '#lib/state/plans/plans.schema'
import { Reading, readJson, type SentItem } from '#lib/state/plans/read.server'

/* Lists as tables: the same columns in the CSV of a list, in an export, and in a document of the desired state. */

const ALL = { limit: '0' }
const byName = { startwith: 0, limit: 0, has: '', by: 'name', asc: true } as const
const params = {}

type Table = { csv: Csv<never>; list: (context: ReadContext) => Promise<Listing> }

const lists: Record<ExportEntity, Table> = {
  enterprises: { csv: enterpriseCsv, list: (context) => listEnterprises(context, byName) },
  scopes: { csv: scopeCsv, list: (context) => listScopes(context, byName) },
  roles: { csv: roleCsv, list: (context) => listRoles(context, byName) },
  users: { csv: userCsv, list: (context) => listUsers(context, ANY_ID, userQuery.parse(ALL)) },
  natnetworks: {
    csv: natNetworkCsv,
    list: (context) => listAllNetworks(context, allNatNetworkListQuery.parse(ALL)),
  },
  natips: {
    csv: natIpCsv,
    list: (context) => listIps({ ...context, params, query: allIpQuery.parse({ ...ALL, all: 'true' }) }),
  },
  natrules: {
    csv: natRuleCsv,
    list: (context) => listRules({ ...context, params, query: allRuleQuery.parse(ALL) }),
  },
}

export const tables = {
  by: 'entity',
  lists: Object.fromEntries(Object.entries(lists).map(([name, { csv }]) => [name, csv])),
}

/** Without rules of machines that the caller does not see, as in the document. */
const isNamed = (entity: ExportEntity, view: object): boolean =>
  entity !== 'natrules' || ownLink(view) !== undefined

/** The documents of the list, which its table is made of. */
export async function* viewsOf(entity: ExportEntity, context: ReadContext): AsyncGenerator<object[]> {
  const { collection } = await lists[entity].list(context)
  const batches = Symbol.asyncIterator in collection ? collection : [collection]
  for await (const views of batches) yield views.filter((view) => isNamed(entity, view))
}

const refused = (message: string): ApiError => new ApiError(fault('GEN-3', message))

const inner = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional) return inner(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? inner(schema.in as z.ZodType) : schema
}

/** The member in a cell. An empty cell is a missing member if the member cannot be empty. */
function memberOf(name: string, schema: z.ZodType, cell: string): unknown {
  const type = inner(schema)
  if (type instanceof z.ZodArray)
    return name === 'allowedCIDRs' ? cell.split(/[|\s]+/).filter(Boolean) : namesInCell(unguarded(cell))
  if (cell === '') return name !== 'password' && schema.safeParse('').success ? '' : undefined
  if (type instanceof z.ZodBoolean && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
  if (type instanceof z.ZodNumber && /^\d{1,9}$/.test(cell)) return Number(cell)
  return unguarded(cell)
}

/** The members in the columns; null for a column that is for people. Throws GEN-3. */
function membersOf(entity: ExportEntity, header: readonly string[]): (string | null)[] {
  const members = Object.keys(wantedItems[entity].shape)
  const known = new Set(lists[entity].csv.columns.map(({ name }) => name))
  const found = header.map((column) => {
    const name = column.trim()
    if (members.includes(name)) return name
    if (known.has(name)) return null
    throw refused(`There is no column ${JSON.stringify(name.slice(0, 64))} in a table of ${entity}`)
  })
  const named = found.filter((name) => name !== null)
  if (new Set(named).size < named.length) throw refused('A column occurs twice')
  const lacking = identityOf(entity).filter((name) => !named.includes(name) && !isOptional(entity, name))
  if (lacking.length > 0) throw refused(`The table has no column ${lacking.join(', ')}`)
  return found
}

const shapeOf = (entity: ExportEntity): Record<string, z.ZodType> => wantedItems[entity].shape

const isOptional = (entity: ExportEntity, name: string): boolean =>
  shapeOf(entity)[name]?.safeParse(undefined).success ?? true

type Source = { request: Exchange; caller: Caller }

/** The items of a table. Throws GEN-3, 413, 403 if the caller may not read the list, and GEN-22 if the query does not name the list. */
async function readTable(pieces: AsyncIterable<string>, { request, caller }: Source) {
  const query = planQuery.safeParse(Object.fromEntries(urlOf(request).searchParams))
  if (!query.success) throw new ApiError(queryFaults(query.error.issues))
  const { entity, mode = 'merge' } = query.data
  if (!entity) throw new ApiError(fault('GEN-22', 'entity must say which list the table is', 'entity'))
  const shape = shapeOf(entity)
  const reading = new Reading(caller)
  reading.begin(entity)
  let members: (string | null)[] | undefined
  for await (const row of csvRows(pieces)) {
    if (members) reading.add(entity, thingOf(members, shape, row))
    else members = membersOf(entity, row.cells)
  }
  if (!members) throw refused('The table has no header')
  return reading.end(mode)
}

function thingOf(
  members: readonly (string | null)[],
  shape: Record<string, z.ZodType>,
  { line, cells }: CsvRow,
): SentItem {
  if (cells.length !== members.length) {
    const message = `The row has ${cells.length} cells under ${members.length} columns`
    return { line, value: undefined, fault: fault('CONSTR-LENGTH', message) }
  }
  const entries = members.flatMap((name, index): [string, unknown][] => {
    const schema = name === null ? undefined : shape[name]
    return name !== null && schema ? [[name, memberOf(name, schema, cells[index] ?? '')]] : []
  })
  return { line, value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
}

const MIB = 1024 * 1024

/** How the body of a plan is read. */
export const planReaders = {
  largest: 64 * MIB,
  types: { 'application/json': readJson, 'text/csv': readTable },
}
