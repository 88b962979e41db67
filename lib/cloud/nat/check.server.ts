import { sql } from 'kysely'
import type { ReadContext } from '#lib/caller/auth/context.server'
import { collectionOf, linkTo } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { visibleDatacenters } from '#lib/cloud/infrastructure/datacenters.server'
import {
  type NatCheckCountsQuery,
  type NatCheckDocument,
  type NatCheckQuery,
  type NatFinding,
  type NatFindingCode,
  type NatFindingCounts,
  natFindingCodes,
  natFindingSeverities,
  natSeverities,
} from '#lib/cloud/nat/check.schema'
import { type Asked, type Found, queries } from '#lib/cloud/nat/check-queries.server'
import { viewsOf } from '#lib/cloud/nat/check-views.server'
import { requirePlace } from '#lib/cloud/nat/networks.server'
import {
  isNotSetAside,
  isSetAside,
  type SetAsidesInForce,
  setAsidesInForce,
  withSetAsides,
} from '#lib/cloud/nat/set-asides.server'
import { type Db, database } from '#lib/db/db.server'
import { CHUNK, chunksOf, countOf, namedList, ordered, pageOf } from '#lib/db/list.server'
import { type Csv, fields, linked } from '#lib/ground/http/csv'
import type { NamePaging } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'

/*
 * The check of a datacenter's NAT. The findings of all codes, in the order of codes, make one list: a page counts all and reads only its
 * own. All queries run outside the thread that answers requests.
 */

/** `aside`: the findings that are set aside, instead of the others. */
type Wanted = Asked & { aside: boolean; inForce: SetAsidesInForce }

const foundBy = (db: Db, code: NatFindingCode, { aside, inForce, ...asked }: Wanted) =>
  db
    .selectFrom(sql<Found>`(${queries[code](asked)})`.as('found'))
    .where(aside ? isSetAside(code, inForce) : isNotSetAside(code, inForce))
    .select(['found.id', 'found.other', 'found.third', 'found.times', 'found.key', 'found.mark'])
    .select('found.enterprise')

type Part = { code: NatFindingCode; total: number }

/** The codes, each with the number of its findings. */
async function partsOf(codes: readonly NatFindingCode[], asked: Wanted): Promise<Part[]> {
  const { scan } = database()
  const parts: Part[] = []
  // One after the other: the queries of other lists run in between.
  for (const code of codes) parts.push({ code, total: await countOf(scan, foundBy(scan, code, asked)) })
  return parts
}

const rank = (code: NatFindingCode): number => natSeverities.indexOf(natFindingSeverities[code])

function codesFor({ code, severity, by, asc }: NatCheckQuery): NatFindingCode[] {
  const codes = natFindingCodes
    .filter((each) => code === undefined || each === code)
    .filter((each) => severity === undefined || natFindingSeverities[each] === severity)
  const sorted = by === 'severity' ? codes.toSorted((one, other) => rank(one) - rank(other)) : codes
  return asc ? sorted : sorted.reverse()
}

/** A part of a page: `size` findings of one code, of which `total` were found. */
type Slice = Part & { offset: number; size: number }

/** The rows of each part on a page. */
function slicesOf(parts: readonly Part[], { startwith, size }: { startwith: number; size: number }): Slice[] {
  let before = 0
  return parts.flatMap((part) => {
    const offset = Math.max(startwith - before, 0)
    const end = Math.min(startwith + size - before, part.total)
    before += part.total
    return end > offset ? [{ ...part, offset, size: end - offset }] : []
  })
}

type Reading = { context: ReadContext; asked: Wanted; asc: boolean }

const inOrder = (db: Db, code: NatFindingCode, { asked, asc }: Reading) =>
  ordered(
    {
      orders: { key: ['found.key', 'found.other', 'found.third'] },
      id: 'found.id',
      paging: { by: 'key', startwith: 0, limit: 0, has: '', asc },
    },
    foundBy(db, code, asked),
    asc,
  )

/** Views of rows. Sums are texts in PostgreSQL. */
const viewed =
  ({ context, asked }: Reading, code: NatFindingCode) =>
  async (rows: Found[]) => {
    const found = rows.map((row) => ({ ...row, times: Number(row.times) }))
    const findings = await viewsOf[code](context, found)
    return asked.aside
      ? withSetAsides(context, { code, found, findings, today: asked.inForce.today })
      : findings
  }

/** The last findings of a code are read from the end. */
async function read(reading: Reading, { code, total, offset, size }: Slice): Promise<NatFinding[]> {
  const behind = total - offset - size
  const reversed = behind < offset
  const rows = await inOrder(database().scan, code, { ...reading, asc: reading.asc !== reversed })
    .limit(size)
    .offset(Math.min(offset, behind))
    .execute()
  return viewed(reading, code)(reversed ? rows.reverse() : rows)
}

async function* streamed(reading: Reading, slices: readonly Slice[]): AsyncGenerator<object[]> {
  for (const { code, offset, size } of slices) {
    const rows = inOrder(database().stream, code, reading).offset(offset).limit(size)
    yield* chunksOf(rows.stream(CHUNK), viewed(reading, code))
  }
}

type Checking = ReadContext & { params: { datacenter: number } }

const checkPath = (datacenter: number): string =>
  `${collectionOf(kinds.natnetwork, { datacenter })}/action/check`

/** The findings in the NAT of the datacenter that the caller may see. Throws DC-0, NAT-NET-1. */
export async function listNatFindings({
  params,
  query,
  ...context
}: Checking & { query: NatCheckQuery }): Promise<Listing> {
  const { datacenter } = params
  await requirePlace(context, params, query)
  const { network, has, setaside: aside = false } = query
  const inForce = await setAsidesInForce(context.db, datacenter)
  const asked = { datacenter, network, caller: context.caller, has, aside, inForce }
  const parts = await partsOf(codesFor(query), asked)
  const sum = parts.reduce((all, { total }) => all + total, 0)
  const { links, totalSize, ...window } = pageOf({ paging: query, path: checkPath(datacenter) }, sum)
  const slices = slicesOf(parts, window)
  const reading = { context, asked, asc: query.asc }
  if (window.size > CHUNK || query.limit === 0)
    return { links, totalSize, collection: streamed(reading, slices) }
  const pieces: NatFinding[] = []
  for (const slice of slices) pieces.push(...(await read(reading, slice)))
  return { links, totalSize, collection: pieces }
}

/** The numbers of all findings, or of those about a network. Throws DC-0, NAT-NET-1. */
export async function countNatFindings({
  params,
  query: { network },
  ...context
}: Checking & { query: NatCheckCountsQuery }): Promise<NatFindingCounts> {
  await requirePlace(context, params, { network })
  return countsOf(context, { datacenter: params.datacenter, network })
}

/** The numbers of findings of each visible datacenter. */
export const countAllNatFindings = ({
  query: paging,
  ...context
}: ReadContext & { query: NamePaging }): Promise<Listing> =>
  namedList({
    table: 'datacenters',
    from: (db) => visibleDatacenters(db, context.caller),
    paging,
    views: async (rows) => {
      const checks: NatCheckDocument[] = []
      // One after the other: the queries of other lists run in between.
      for (const { id, name } of rows) {
        const { codes: _codes, ...counts } = await countsOf(context, { datacenter: id, network: undefined })
        checks.push({ ...counts, links: [linkTo(kinds.datacenter, { id }, name)], id, name })
      }
      return checks
    },
    path: '/admin/natnetworks/action/checkcounts',
  })

async function countsOf(
  context: ReadContext,
  { datacenter, network }: Pick<Asked, 'datacenter' | 'network'>,
): Promise<NatFindingCounts> {
  const inForce = await setAsidesInForce(context.db, datacenter)
  const asked = { datacenter, network, caller: context.caller, has: '', inForce }
  const parts = await partsOf(natFindingCodes, { ...asked, aside: false })
  const aside = await partsOf(natFindingCodes.filter(inForce.has), { ...asked, aside: true })
  const codes = parts
    .filter(({ total }) => total > 0)
    .map(({ code, total }) => ({ code, severity: natFindingSeverities[code], count: total }))
  const sumOf = (severity: string) =>
    codes.reduce((sum, each) => (each.severity === severity ? sum + each.count : sum), 0)
  const setAside = aside.reduce((sum, { total }) => sum + total, 0)
  return { links: [], error: sumOf('error'), warning: sumOf('warning'), info: sumOf('info'), setAside, codes }
}

export const natFindingCsv: Csv<NatFinding> = {
  filename: 'nat-findings',
  columns: [
    { name: 'finding', of: ({ code }) => code },
    { name: 'identity', of: ({ identity }) => identity },
    ...fields<NatFinding>('severity', 'message'),
    ...linked('natIp'),
    ...linked('network', 'natnetwork'),
    ...linked('natRule'),
    ...linked('virtualMachine'),
    ...linked('virtualDatacenter'),
    ...linked('device'),
    { name: 'setAsideReason', of: ({ setAside }) => setAside?.reason },
    { name: 'setAsideUntil', of: ({ setAside }) => setAside?.until },
  ],
}
