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

/** Reads no more of the file than its header. Cells are parted as the API reads them (docs/api.md, "Plans"). */
export async function headOf(file: Blob): Promise<CsvHead> {
  const bytes = new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
  const end = endOfHeader(bytes)
  const header = new TextDecoder().decode(bytes.slice(0, end))
  const separator = header.includes(',') || !header.includes(';') ? ',' : ';'
  const cells = header.matchAll(
    separator === ',' ? /(?:^|,)("(?:[^"]|"")*"|[^,]*)/g : /(?:^|;)("(?:[^"]|"")*"|[^;]*)/g,
  )
  const columns = [...cells].map(([, cell = '']) => cellOf(cell.trim()))
  return { columns, separator, rest: file.slice(end) }
}

/** The API ignores this column in every table. */
const IGNORED = 'id'

/** The table with the fields in place of its header. A column without a field is ignored. */
export const tableOf = ({ separator, rest }: CsvHead, fields: readonly (string | undefined)[]): Blob =>
  new Blob([fields.map((field) => field ?? IGNORED).join(separator), rest], { type: 'text/csv' })

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

export type Matches = Readonly<Record<string, string>>

/** The field of each column: as it was chosen before, else the one of the same name. */
export const matched = (
  columns: readonly string[],
  fields: readonly string[],
  chosen: Matches,
): (string | undefined)[] =>
  columns.map((column) => {
    const wanted = chosen[column] ?? fields.find((field) => plain(field) === plain(column))
    return fields.find((field) => field === wanted)
  })

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
