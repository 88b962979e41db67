import { setImmediate } from 'node:timers/promises'
import { ApiError, fault } from '#lib/http/errors'

/** A row of a table, and its first line in the file. */
export type CsvRow = { line: number; cells: string[] }

/** Other requests run after so many rows. */
const BREATH = 1000

const BYTE_ORDER_MARK = '\ufeff'

/** Spreadsheets of countries with a decimal comma part cells by semicolons. */
function separatorOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return header.includes(',') || !header.includes(';') ? ',' : ';'
}

type Cell = { value: string; next: number }

/** Undefined: nothing closes the quotes. */
function quotedAt(text: string, start: number): Cell | undefined {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end < 0 ? undefined : { value: text.slice(start + 1, end).replaceAll('""', '"'), next: end + 1 }
}

function plainAt(text: string, start: number, separator: string): Cell {
  let next = start
  while (next < text.length && text[next] !== separator && text[next] !== '\r' && text[next] !== '\n')
    next += 1
  return { value: text.slice(start, next), next }
}

/** The length of the line break at this place. */
const breakAt = (text: string, place: number): number =>
  text.startsWith('\r\n', place) ? 2 : text[place] === '\n' || text[place] === '\r' ? 1 : 0

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/**
 * The rows of a table (RFC 4180 §2) with any kind of line break. Empty lines are skipped. Throws GEN-3 for quotes that nothing closes, or that
 * something follows.
 */
export async function* csvRows(sent: string): AsyncGenerator<CsvRow> {
  const text = sent.startsWith(BYTE_ORDER_MARK) ? sent.slice(1) : sent
  const separator = separatorOf(text)
  let [place, line, lines, rows] = [0, 1, 1, 0]
  let cells: string[] = []
  while (place < text.length) {
    const cell = text[place] === '"' ? quotedAt(text, place) : plainAt(text, place, separator)
    const isLast = cell?.next === text.length
    const end = cell && breakAt(text, cell.next)
    if (!cell || (!isLast && end === 0 && text[cell.next] !== separator))
      throw new ApiError(fault('GEN-3', `The quotes on line ${lines} are not as in RFC 4180`))
    cells.push(cell.value)
    lines += lineBreaksIn(cell.value)
    place = cell.next + (end || 1)
    if (!isLast && !end) {
      if (place === text.length) cells.push('')
      else continue
    }
    if (cells.length > 1 || cells[0] !== '') yield { line, cells }
    cells = []
    lines += 1
    line = lines
    rows += 1
    if (rows % BREATH === 0) await setImmediate()
  }
}
