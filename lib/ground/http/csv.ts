import { idOfLink, type LinkDocument, linkOf } from '#lib/ground/http/view'

/* Lists as CSV. Each domain declares its columns as data. */

type Cell = string | number | boolean | undefined

export type Column<View> = { name: string; of: (view: View) => Cell }

/** The CSV form of a list; its file is named `<filename>.csv`. */
export type Csv<View, Row = View> = {
  filename: string
  columns: readonly Column<Row>[]
  /** The rows of these documents, if the columns need more than the documents have. */
  rows?: (views: View[]) => Promise<object[]>
}

type PlainField<View> = { [Name in keyof View]: View[Name] extends Cell ? Name : never }[keyof View] & string

/** One column for each field, named like the field. */
export const fields = <View>(...names: PlainField<View>[]): Column<View>[] =>
  names.map((name) => ({ name, of: (view) => view[name] as Cell }))

/** Two columns for the target of the link with this rel: its name and its id. */
export const linked = (
  name: string,
  rel: string = name.toLowerCase(),
): Column<{ links: readonly LinkDocument[] }>[] => [
  { name, of: (view) => linkOf(view, rel)?.title },
  { name: `${name}Id`, of: (view) => idOfLink(linkOf(view, rel)) },
]

/** A cell of several names. A backslash precedes a separator, or what looks like one, in a name. */
export const namesCell = (names: readonly string[]): string =>
  names.map((name) => name.replace(/\\(?=[\\|]|$)|\|/g, '\\$&')).join('|')

/** The names in such a cell. */
export const namesInCell = (cell: string): string[] =>
  [...cell.matchAll(/(?:\\[\\|]|[^|])+/g)].map(([name]) => name.replace(/\\([\\|])/g, '$1'))

export const tagsColumn: Column<{ tags: readonly string[] }> = {
  name: 'tags',
  of: ({ tags }) => namesCell(tags),
}

export const noteColumns: Column<{ description: string; tags: readonly string[] }>[] = [
  { name: 'description', of: ({ description }) => description },
  tagsColumn,
]

/**
 * A spreadsheet evaluates a text that begins like this as a formula. An apostrophe keeps it a text (OWASP, CSV injection). A text that begins
 * with apostrophes before such a sign gets one more, so that reading the file gives the same text again.
 */
const formula = /^'*[=+\-@\t\r]/

const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text of a cell, without the apostrophe that an export put before it. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** RFC 4180 §2: cells with separators are quoted, and quotes are doubled. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cell = (value: Cell): string =>
  typeof value === 'string' ? quoted(guarded(value)) : value === undefined ? '' : String(value)

/** One line of a file, whatever its cells are. */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`

export const headerRow = ({ columns }: Csv<never>): string => csvRow(columns.map(({ name }) => name))

export const rowOf = <View>({ columns }: Csv<View>, view: View): string =>
  csvRow(columns.map(({ of }) => of(view)))
