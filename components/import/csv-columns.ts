import type { ExportEntity } from '#lib/state/plans/plans.schema'

/** The first line of a table, and the lines below it. */
export type CsvHead = { columns: string[]; separator: ',' | ';'; rest: Blob }

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = [0x22, 0x0a, 0x0d]
const MOST_BYTES = 64 * 1024

function endOfHeader(bytes: Uint8Array): number {
  let isQuoted = false
  for (const [place, byte] of bytes.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) return place
  }
  return bytes.length
}

/** RFC 4180 §2: a quoted cell holds its quotes twice. */
const cellOf = (cell: string): string =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell

/** Reads no more of the file than its header. Cells are parted as the API reads them (docs/api/plans.md, "Plans"). */
export async function headOf(file: Blob): Promise<CsvHead> {
  const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
  const end = endOfHeader(bytes)
  const header = new TextDecoder().decode(bytes.slice(0, end))
  const separator = header.includes(',') || !header.includes(';') ? ',' : ';'
  return { columns: cellsOf(header, separator), separator, rest: file.slice(end) }
}

/** The cells of a row without its line break. */
export function cellsOf(row: string, separator: ',' | ';'): string[] {
  const cells = row.matchAll(
    separator === ',' ? /(?:^|,)("(?:[^"]|"")*"|[^,]*)/g : /(?:^|;)("(?:[^"]|"")*"|[^;]*)/g,
  )
  return [...cells].map(([, cell = '']) => cellOf(cell.trim()))
}

/** Whether the file is a workbook or another binary file. */
export const isBinary = async (file: Blob): Promise<boolean> =>
  (await file.slice(0, 1024).text()).includes('\u0000')

/** The API ignores this column in every table. */
const IGNORED = 'id'

/** The table with the fields in place of its header. A column without a field is ignored. */
export const tableOf = ({ separator, rest }: CsvHead, fields: readonly (string | undefined)[]): Blob =>
  new Blob([fields.map((field) => field ?? IGNORED).join(separator), rest], { type: 'text/csv' })

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export type Matches = Readonly<Record<string, string>>

/**
 * Headings of other programs: prefixes of NetBox (`Prefix` in the export of a table, `prefix` in its import format) and subnets of
 * phpIPAM (`Subnet`). Their ranges have a description and no name.
 */
export const otherHeadings: Partial<Record<ExportEntity, Matches>> = {
  natnetworks: {
    prefix: 'cidr',
    subnet: 'cidr',
    network: 'cidr',
    range: 'cidr',
    description: 'name',
  },
}

type Guess = {
  fields: readonly string[]
  chosen: Matches
  /** The fields of headings that other programs write. */
  others?: Matches | undefined
}

/**
 * The field of each column: as it was chosen before, else what its heading means to other programs if no column has that field by its own
 * name, else the one of the same name.
 */
export function matched(columns: readonly string[], { fields, chosen, others = {} }: Guess) {
  const known = (field: string | undefined) => fields.find((one) => one === field)
  const sure = columns.map((column) =>
    known(chosen[column] ?? fields.find((field) => plain(field) === plain(column))),
  )
  const found = new Set(sure)
  return columns.map((column, index) => {
    const other = known(others[plain(column)])
    if (chosen[column] !== undefined || other === undefined || found.has(other)) return sure[index]
    found.add(other)
    return other
  })
}

/** A field that two columns would fill. */
export const fieldTwice = (fields: readonly (string | undefined)[]): string | undefined =>
  fields.find((field, index) => field !== undefined && fields.indexOf(field) < index)

const keyOf = (entity: ExportEntity): string => `console.import.${entity}`

/** The matches of former imports in this browser. */
export function rememberedMatches(entity: ExportEntity): Matches {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(entity)) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, field]) => typeof field === 'string'))
  } catch {
    return {}
  }
}

export function rememberMatches(entity: ExportEntity, matches: Matches): void {
  try {
    localStorage.setItem(keyOf(entity), JSON.stringify({ ...rememberedMatches(entity), ...matches }))
  } catch {
    // The browser stores nothing for this site: the columns are matched by name the next time.
  }
}
