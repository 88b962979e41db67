import { formatCidr, parseCidr } from '#lib/ground/net/addresses'
import { type CsvHead, cellsOf } from './csv-columns'
import { linesOf, quoted } from './csv-lines'

/* Ranges of another program as a table of NAT networks, with the lines that they have in the file. */

type Fields = readonly (string | undefined)[]

/** Values of all rows, by field. */
export type Given = Readonly<Record<string, string>>

/** Whether the file names each network and its datacenter, as exports of this product do. */
export const isOwnTable = (fields: Fields): boolean =>
  fields.includes('datacenter') && fields.includes('name')

type NetworkRow = {
  /** The line break at its end, and all those that it has in the file. */
  end: string
  breaks: string
  cells: string[]
  cidr: ReturnType<typeof parseCidr>
  /** The CIDR as text, to compare it. */
  key: string | undefined
}

/** NetBox draws the depth of a prefix with dots before it. */
const withoutDots = (cell: string): string => cell.replace(/^[\s•]+/, '')

function rowsOf(text: string, { separator }: CsvHead, fields: Fields): NetworkRow[] {
  const place = fields.indexOf('cidr')
  return linesOf(text).map((line) => {
    const row = line.text.replace(/(?:\r\n|\n|\r)$/, '')
    const cells = row === '' ? [] : cellsOf(row, separator)
    const range = withoutDots(cells[place] ?? '')
    if (place in cells) cells[place] = range
    const cidr = parseCidr(range)
    const breaks = line.text.replace(/[^\r\n]+/g, '')
    return { end: line.text.slice(row.length), breaks, cells, cidr, key: cidr && formatCidr(cidr) }
  })
}

type Ranged = NonNullable<NetworkRow['cidr']>

const isWithin = (inner: Ranged, outer: Ranged): boolean =>
  inner.version === outer.version && inner.first >= outer.first && inner.last <= outer.last

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other))

/** The ranges that contain another one: parents of a tree, which would overlap their children. */
function parentsIn(rows: readonly NetworkRow[]): Set<string> {
  const known = new Map(rows.flatMap(({ cidr, key }) => (cidr && key ? [[key, cidr]] : [])))
  const sorted = [...known].sort(
    ([, one], [, other]) =>
      one.version - other.version || compare(one.first, other.first) || one.prefix - other.prefix,
  )
  const parents = new Set<string>()
  // Ranges never overlap in part, so the ranges around the present one are a stack.
  const around: [string, Ranged][] = []
  for (const entry of sorted) {
    for (let last = around.at(-1); last && !isWithin(entry[1], last[1]); last = around.at(-1)) around.pop()
    const parent = around.at(-1)
    if (parent) parents.add(parent[0])
    around.push(entry)
  }
  return parents
}

export type NetworkTable = { table: Blob; leftOut: string[] }

/**
 * The table with its fields in place of the header, the given values in further columns, and the range as the name of what has none. Rows
 * that are left out become empty lines, so that the API counts the lines of the file.
 */
export async function networkTable(
  head: CsvHead,
  fields: Fields,
  { given, isLeavesOnly }: { given: Given; isLeavesOnly: boolean },
): Promise<NetworkTable> {
  const { separator, rest } = head
  const text = await rest.text()
  // The rest begins with the line break of the header.
  const [start, ...rows] = rowsOf(text, head, fields)
  const parents = isLeavesOnly ? parentsIn(rows) : new Set<string>()
  const isLeft = ({ key }: NetworkRow) => key !== undefined && parents.has(key)
  const added = Object.keys(given).filter((field) => !fields.includes(field))
  const names = namesOf(
    rows.filter((row) => !isLeft(row)),
    fields,
  )
  const hasName = fields.includes('name')
  const line = (cells: readonly string[]) => cells.map(quoted).join(separator)
  const header = [...fields.map((field) => field ?? 'id'), ...(hasName ? [] : ['name']), ...added]
  const written = rows.map((row) => {
    const { cells, end, breaks } = row
    if (cells.length === 0 || isLeft(row)) return breaks
    const name = names.get(row) ?? ''
    const all = hasName
      ? cells.map((cell, index) => (fields[index] === 'name' ? name : cell))
      : [...cells, name]
    return line([...all, ...added.map((field) => given[field] ?? '')]) + end
  })
  return {
    table: new Blob([line(header), start?.end ?? '', ...written], { type: 'text/csv' }),
    leftOut: [...parents],
  }
}

/** The name of each row: its own, with the range where an earlier row has it; else the range. */
function namesOf(rows: readonly NetworkRow[], fields: Fields): Map<NetworkRow, string> {
  const [name, cidr] = [fields.indexOf('name'), fields.indexOf('cidr')]
  const place = fields.indexOf('datacenter')
  const taken = new Set<string>()
  return new Map(
    rows.map((row) => {
      const range = row.cells[cidr] ?? ''
      const own = row.cells[name] || range
      const key = JSON.stringify([row.cells[place], own])
      const isTaken = taken.has(key)
      taken.add(key)
      return [row, isTaken && own !== range ? `${own} ${range}` : own]
    }),
  )
}
