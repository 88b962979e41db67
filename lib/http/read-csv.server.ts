import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { ApiError, fault } from '#lib/http/errors'

/** A row of a table, and its first line in the file. */
export type CsvRow = { line: number; cells: string[] }

/** Other requests run after so many rows. */
const BREATH = 500

/** Letters that are parsed at a time. */
const PIECE = 16 * 1024

/** Spreadsheets of countries with a decimal comma separate cells by semicolons. */
function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return header.includes(',') || !header.includes(';') ? ',' : ';'
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

const linesOf = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + lineBreaksIn(cell), 1)

/** The text in pieces, none of which ends within a pair of surrogates. */
function* piecesOf(text: string): Generator<Buffer> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + PIECE
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1
    yield Buffer.from(text.slice(start, end))
  }
}

/** The rows of a table (RFC 4180 §2) with any kind of line break. Empty lines are skipped. Throws GEN-3 for quotes in the wrong place. */
export async function* csvRows(text: string): AsyncGenerator<CsvRow> {
  let line = 1
  const lines = new WeakMap<string[], number>()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    // A row of another length is a fault of its own, not the end of the table.
    relax_column_count: true,
    // The parser itself counts a line break in quotes twice.
    on_record: (cells) => {
      lines.set(cells, line)
      line += linesOf(cells)
      return cells.length > 1 || cells[0] !== '' ? cells : null
    },
  })
  const rows: AsyncIterable<string[]> = Readable.from(piecesOf(text)).pipe(parser)
  let read = 0
  try {
    for await (const cells of rows) {
      yield { line: lines.get(cells) ?? line, cells }
      read += 1
      if (read % BREATH === 0) await setImmediate()
    }
  } catch (error) {
    // The parser's message may quote a password from the table.
    if (error instanceof CsvError)
      throw new ApiError(fault('GEN-3', `The quotes on line ${line} are not as in RFC 4180`))
    throw error
  }
}
