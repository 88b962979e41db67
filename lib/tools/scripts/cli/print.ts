import { z } from 'zod'
import { csvRow } from '#lib/ground/http/csv'
import type { Format } from '#lib/tools/scripts/cli/arguments'
import type { Terminal } from '#lib/tools/scripts/cli/outcome'
import { printable, printableJson } from '#lib/tools/scripts/cli/printable'

type PrintedRow = Record<string, unknown>

const link = z.object({ rel: z.string(), title: z.string().optional() })
const list = z.object({
  collection: z.array(z.record(z.string(), z.unknown())),
  totalSize: z.int().optional(),
})

/** Links to the item itself. Their titles repeat its name. */
const ofItself = new Set(['edit', 'self'])

/** The titles of links are columns too: the name of a machine's enterprise, for example. */
function rowOf({ links, ...fields }: PrintedRow): PrintedRow {
  const titles = z
    .array(link)
    .catch([])
    .parse(links)
    .flatMap(({ rel, title }) =>
      title === undefined || rel in fields || ofItself.has(rel) ? [] : [[rel, title]],
    )
  return { ...fields, ...Object.fromEntries(titles) }
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'

export const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every(isPlain)) return value.join('|')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const columnsOf = (rows: PrintedRow[]): string[] => {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  return [...names].sort((one, other) => Number(other === 'id') - Number(one === 'id'))
}

/** Nested documents would make a table too wide to read: JSON has them. Empty columns are left out. */
const inTable = (rows: PrintedRow[]) => (name: string) =>
  rows.some((row) => cellOf(row[name]) !== '') &&
  rows.every((row) => isPlain(row[name]) || (Array.isArray(row[name]) && row[name].every(isPlain)))

const WIDEST = 60

const shortened = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text)

function tableOf(rows: PrintedRow[]): string {
  if (rows.length === 0) return ''
  const columns = columnsOf(rows).filter(inTable(rows))
  const lines = rows.map((row) => columns.map((name) => shortened(printable(cellOf(row[name])))))
  const cells = [columns.map((name) => printable(name.toUpperCase())), ...lines]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => [...(line[at] ?? '')].length)))
  return cells.map((line) => lineOf(line, widths)).join('')
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - [...text].length))

const lineOf = (line: string[], widths: number[]): string =>
  `${line
    .map((text, at) => padded(text, widths[at] ?? 0))
    .join('  ')
    .trimEnd()}\n`

/** One document: a line for each field. */
function fieldsOf(row: PrintedRow): string {
  const lines = Object.entries(row).map(([name, value]) => [printable(name), printable(cellOf(value))])
  const widths = [Math.max(0, ...lines.map(([name = '']) => name.length)), 0]
  return lines.map((line) => lineOf(line, widths)).join('')
}

/** A negative number is no formula. */
const csvCell = (value: unknown) => (typeof value === 'number' ? value : cellOf(value))

function csvOf(rows: PrintedRow[]): string {
  const columns = columnsOf(rows)
  return [columns, ...rows.map((row) => columns.map((name) => csvCell(row[name])))].map(csvRow).join('')
}

function textOf(document: unknown, format: Format): string {
  if (format === 'json') return `${printableJson(JSON.stringify(document, null, 2))}\n`
  const found = list.safeParse(document)
  if (found.success) return (format === 'csv' ? csvOf : tableOf)(found.data.collection.map(rowOf))
  const one = z.record(z.string(), z.unknown()).safeParse(document)
  if (!one.success) return `${printable(cellOf(document))}\n`
  return format === 'csv' ? csvOf([rowOf(one.data)]) : fieldsOf(rowOf(one.data))
}

/** Prints a document. The total of a table goes to standard error. */
export function printDocument(document: unknown, format: Format, { write, tell }: Terminal): void {
  write(textOf(document, format))
  const { data } = list.safeParse(document)
  if (format !== 'table' || !data) return
  const { collection, totalSize: total = collection.length } = data
  tell(
    total === collection.length
      ? `${total} in all\n`
      : `${collection.length} of ${total}. --limit 0 shows all\n`,
  )
}
