import { idOfLink, type LinkDocument, linkOf } from '#lib/http/view'

/* A list as a table: its columns are data, beside the domain whose items they show. */

type Cell = string | number | boolean | undefined

export type Column<View> = { name: string; of: (view: View) => Cell }

/** What a list declares to be answered as CSV; its file is named `<filename>.csv`. */
export type Csv<View> = { filename: string; columns: readonly Column<View>[] }

type PlainField<View> = { [Name in keyof View]: View[Name] extends Cell ? Name : never }[keyof View] & string

/** A column for each of these fields, of the field's own name. */
export const fields = <View>(...names: PlainField<View>[]): Column<View>[] =>
  names.map((name) => ({ name, of: (view) => view[name] as Cell }))

/** Two columns for what the link of this rel leads to: its name, and its id. */
export const linked = (
  name: string,
  rel: string = name.toLowerCase(),
): Column<{ links: readonly LinkDocument[] }>[] => [
  { name, of: (view) => linkOf(view, rel)?.title },
  { name: `${name}Id`, of: (view) => idOfLink(linkOf(view, rel)) },
]

/** A spreadsheet runs a text that begins like this: an apostrophe makes it say so instead (OWASP, CSV injection). */
const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** RFC 4180 §2: what would end the cell is quoted, and quotes are doubled. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cell = (value: Cell): string =>
  typeof value === 'string' ? quoted(guarded(value)) : value === undefined ? '' : String(value)

const row = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`

export const headerRow = <View>({ columns }: Csv<View>): string => row(columns.map(({ name }) => name))

export const rowOf = <View>({ columns }: Csv<View>, view: View): string =>
  row(columns.map(({ of }) => of(view)))
