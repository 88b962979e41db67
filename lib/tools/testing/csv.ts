import { call, expectStatus, type User } from '#lib/tools/testing/client'

/* CSV as a client reads it, by its own means: nothing here is the server's. */

/** The cells of each row (RFC 4180 §2). Throws if the text is not CSV. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, inQuotes, plain = '', end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`no CSV: ${JSON.stringify(text.slice(at, at + 80))}`)
    row.push(inQuotes === undefined ? plain : inQuotes.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

type Table = { columns: string[]; rows: Record<string, string>[] }

/** The rows by the names of the columns. */
function tableOf(text: string): Table {
  const [columns = [], ...rows] = cellsOf(text)
  for (const { length } of rows)
    if (length !== columns.length) throw new Error(`a row of ${length} cells under ${columns.length} columns`)
  return {
    columns,
    rows: rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [columns[index], cell]))),
  }
}

export const csvOf = (path: string, as?: User): Promise<string> =>
  expectStatus(200, call('GET', path, { headers: { accept: 'text/csv' }, ...(as && { as }) }))

export const readCsv = async (path: string, as?: User): Promise<Table> => tableOf(await csvOf(path, as))
