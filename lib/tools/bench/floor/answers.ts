import type { Caller } from '#lib/tools/bench/floor/callers'

/** `path`: below the API's address, with these ids. `api`: that address. */
export type Asked = {
  api: string
  path: string
  ids: number[]
  query: URLSearchParams
  caller: Caller
  body: string
  requestId: string
}

/** `location`: the path of a created resource. */
type Answer = { text: string; location?: string }

/** A change runs in a transaction. A list has no entity tag. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT'
  path: RegExp
  isList?: true
  answer: (asked: Asked) => Answer | undefined
}

/** Rows of a page. */
export const SIZE = 25

export const marks = (count: number): string => `(${Array.from({ length: count }, () => '?').join()})`

/** The ids of a page's rows, filled up with 0, which no row has. */
export const filled = (rows: readonly [id: number, ...unknown[]][]): number[] =>
  Array.from({ length: SIZE }, (_, at) => rows[at]?.[0] ?? 0)

export function inOrderOf<Row extends [id: number, ...unknown[]]>(
  ids: readonly [id: number, ...unknown[]][],
  rows: readonly Row[],
): Row[] {
  const known = new Map(rows.map((row) => [row[0], row]))
  return ids.flatMap(([id]) => {
    const row = known.get(id)
    return row ? [row] : []
  })
}

/** The first row of the page. Beyond the end it is the last page. */
export function startOf(query: URLSearchParams, total: number): number {
  const wanted = Number(query.get('startwith') ?? 0)
  return wanted < total ? wanted : Math.max(total - SIZE, 0)
}

type Page = { path: string; by: string; total: number; start?: number; has?: string; items: string[] }

export function pageText({ path, by, total, start = 0, has = '', items }: Page): string {
  const link = (rel: string, from?: number) =>
    `{"rel":"${rel}","href":"${path}?${from === undefined ? '' : `startwith=${from}&`}limit=${SIZE}` +
    `${has && `&has=${encodeURIComponent(has)}`}&by=${by}"}`
  const links =
    `${link('first')},${link('last', Math.max(total - SIZE, 0))}` +
    `${start > 0 ? `,${link('previous', Math.max(start - SIZE, 0))}` : ''}` +
    `${start + SIZE < total ? `,${link('next', start + SIZE)}` : ''}`
  return `{"links":[${links}],"collection":[${items.join()}],"totalSize":${total}}`
}
