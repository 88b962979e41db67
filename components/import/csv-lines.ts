import type { CsvHead } from './csv-columns'

type CsvLine = { line: number; text: string }

/** The rows of a table with their first lines, as the API counts them. A row with a line break in quotes has several lines. */
export function linesOf(table: string): CsvLine[] {
  const rows: CsvLine[] = []
  let [text, first, line] = ['', 1, 1]
  for (const [piece] of table.matchAll(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g)) {
    text += piece
    line += 1
    const isOpen = text.split('"').length % 2 === 0
    if (isOpen) continue
    rows.push({ line: first, text })
    text = ''
    first = line
  }
  return rows
}

/** The table without these lines. */
export async function withoutLines(table: Blob, left: ReadonlySet<number>): Promise<Blob> {
  const kept = linesOf(await table.text()).filter(({ line }) => !left.has(line))
  return new Blob([kept.map(({ text }) => text).join('')], { type: 'text/csv' })
}

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

type Faulty = {
  head: Pick<CsvHead, 'columns' | 'separator'>
  title: string
  faults: ReadonlyMap<number, string>
}

/** The lines with faults, below the columns of the file, with one more column that says what is wrong. */
export async function faultyLines(table: Blob, { head, title, faults }: Faulty): Promise<Blob> {
  const { columns, separator } = head
  const rows = linesOf(await table.text()).flatMap(({ line, text }) => {
    const fault = faults.get(line)
    return fault === undefined ? [] : [`${text.replace(/(?:\r\n|\n|\r)$/, '')}${separator}${quoted(fault)}`]
  })
  const header = [...columns, title].map(quoted).join(separator)
  return new Blob([[header, ...rows, ''].join('\r\n')], { type: 'text/csv' })
}
