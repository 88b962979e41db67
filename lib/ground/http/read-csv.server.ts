import { pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { ApiError, fault } from '#lib/ground/http/errors'

/** A row of a table, and its first line in the file. */
export type CsvRow = { line: number; cells: string[] }

/** Rows between which other requests run. */
const BREATH = 500

/** Characters of one row. */
const LONGEST_ROW = 1024 * 1024

/** Spreadsheets of countries with a decimal comma separate cells by semicolons. */
function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return header.includes(',') || !header.includes(';') ? ',' : ';'
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

const linesOf = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + lineBreaksIn(cell), 1)

type Pieces = Iterable<string> | AsyncIterable<string>

/** The text up to the end of its first line, with the rest of the last piece. */
async function startOf(pieces: AsyncIterator<string>): Promise<string> {
  let start = ''
  while (start.length < LONGEST_ROW && !/[\r\n]/.test(start)) {
    const { value, done } = await pieces.next()
    if (done) break
    start += value
  }
  return start
}

async function* each(pieces: Pieces): AsyncGenerator<string> {
  yield* pieces
}

async function* again(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start
  yield* rest
}

/** The rows of a table (RFC 4180 §2) with any kind of line break. Empty lines are skipped. Throws GEN-3 for quotes in the wrong place and for long rows. */
export async function* csvRows(pieces: Pieces): AsyncGenerator<CsvRow> {
  const rest = each(pieces)
  const start = await startOf(rest)
  let line = 1
  const lines = new WeakMap<string[], number>()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(start),
    record_delimiter: ['\r\n', '\n', '\r'],
    // A row of another length is a fault of its own, not the end of the table.
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    // The parser itself counts a line break in quotes twice.
    on_record: (cells) => {
      lines.set(cells, line)
      line += linesOf(cells)
      return cells.length > 1 || cells[0] !== '' ? cells : null
    },
  })
  // The loop below gets the errors of both.
  const rows: AsyncIterable<string[]> = pipeline(Readable.from(again(start, rest)), parser, () => {})
  let read = 0
  try {
    for await (const cells of rows) {
      yield { line: lines.get(cells) ?? line, cells }
      read += 1
      if (read % BREATH === 0) await setImmediate()
    }
  } catch (error) {
    // The parser's message may quote a password from the table.
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw new ApiError(fault('GEN-3', `The row on line ${line} is longer than ${LONGEST_ROW} characters`))
    throw new ApiError(fault('GEN-3', `The quotes on line ${line} are not as in RFC 4180`))
  }
}
