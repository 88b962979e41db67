import { parseAddress, parseRange } from '#lib/ground/net/addresses'

export const pageSizes = [10, 25, 50, 100] as const

/** The valid values of a filter: a list, any id, any text, any IP address, any range of addresses, since when a row changed, or a bound of a number. */
export type FilterValues =
  | readonly string[]
  | 'id'
  | 'text'
  | 'address'
  | 'range'
  | 'change'
  | 'moment'
  | 'bound'

/**
 * The parameters of a table in the URL. `prefix` separates two tables of one screen, `orders` are the server's names of the orders
 * (`by` and the id if absent), `filters` are further parameters with their valid values.
 */
export type TableSpec<Filter extends string = never> = {
  /** The name of the table in the user's preferences. */
  name: string
  prefix?: string
  orders?: readonly string[]
  by?: string
  asc?: boolean
  size?: number
  filters?: Record<Filter, FilterValues>
  /** The filters that add rows: no list is empty because of them. */
  widening?: readonly NoInfer<Filter>[]
}

export type TableView<Filter extends string = never> = {
  /** The first row in view, from 0. */
  first: number
  /** The rows of one request. */
  size: number
  by: string | undefined
  asc: boolean
  has: string
  filters: Partial<Record<Filter, string>>
}

/** More than a screen of 900 pixels shows. */
const defaultSize = 50

/** The name of a table's parameter in the URL. */
export const nameIn = (prefix: string | undefined, name: string): string =>
  prefix ? `${prefix}.${name}` : name

const filterNames = <Filter extends string>({ filters }: TableSpec<Filter>): Filter[] =>
  filters ? (Object.keys(filters) as Filter[]) : []

export function isFilterValue(values: FilterValues, value: string): boolean {
  if (values === 'id') return /^[1-9]\d{0,14}$/.test(value)
  if (values === 'address') return parseAddress(value) !== undefined
  if (values === 'range') return parseRange(value) !== undefined
  if (values === 'moment') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
  if (values === 'change') return /^[<>][1-9]\d{0,3}[mhdw]$/.test(value)
  if (values === 'bound') return /^[<>]\d{1,9}$/.test(value)
  return values === 'text' ? value !== '' && value.length <= 256 : values.includes(value)
}

const countOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

/** The view in the URL. Invalid parameters count as absent. `page` is of links from before the rows scrolled on. */
export function readView<Filter extends string = never>(
  search: URLSearchParams,
  spec: TableSpec<Filter>,
): TableView<Filter> {
  const get = (name: string) => search.get(nameIn(spec.prefix, name))
  const page = countOf(get('page'))
  const wanted = countOf(get('size'))
  const size = pageSizes.find((known) => known === wanted) ?? spec.size ?? defaultSize
  const from = countOf(get('from'))
  const by = get('by')
  const asc = get('asc')
  const filters: Partial<Record<Filter, string>> = {}
  for (const name of filterNames(spec)) {
    const value = get(name)
    if (value !== null && spec.filters && isFilterValue(spec.filters[name], value)) filters[name] = value
  }
  return {
    first: from !== undefined ? from - 1 : ((page ?? 1) - 1) * size,
    size,
    by: by !== null && (spec.orders ?? [spec.by, 'id']).includes(by) ? by : spec.by,
    asc: asc === 'true' || asc === 'false' ? asc === 'true' : (spec.asc ?? true),
    has: get('has') ?? '',
    filters,
  }
}

/** Writes a view to the URL, without default values and without touching other parameters. */
export function writeView<Filter extends string = never>(
  search: URLSearchParams,
  spec: TableSpec<Filter>,
  view: TableView<Filter>,
): URLSearchParams {
  const written = new URLSearchParams(search)
  const put = (name: string, value: string | undefined, usual?: string) => {
    const key = nameIn(spec.prefix, name)
    if (value === undefined || value === '' || value === usual) written.delete(key)
    else written.set(key, value)
  }
  put('page', undefined)
  put('from', String(view.first + 1), '1')
  put('size', String(view.size), String(spec.size ?? defaultSize))
  put('by', view.by, spec.by)
  put('asc', String(view.asc), String(spec.asc ?? true))
  put('has', view.has)
  for (const name of filterNames(spec)) put(name, view.filters[name])
  return written
}

/** The view as a text to save: everything but the position, without the prefix of the screen. */
export const textOfView = <Filter extends string = never>(spec: TableSpec<Filter>, view: TableView<Filter>) =>
  writeView(new URLSearchParams(), { ...spec, prefix: '' }, { ...view, first: 0 }).toString()

export const viewOfText = <Filter extends string = never>(spec: TableSpec<Filter>, text: string) =>
  readView(new URLSearchParams(text), { ...spec, prefix: '' })

/** True if the view filters by an id that other screens do not have, like a network of this datacenter. */
export const namesThings = <Filter extends string = never>(
  { filters }: TableSpec<Filter>,
  view: TableView<Filter>,
): boolean => (Object.keys(view.filters) as Filter[]).some((name) => filters?.[name] === 'id')

/** The first row of the page that a row is in. */
export const pageStart = (row: number, size: number): number => row - (row % size)

/** The query of the API for a view (docs/api/lists.md, "Paging"). */
export const queryOf = (view: TableView<string>) => ({
  startwith: pageStart(view.first, view.size),
  limit: view.size,
  by: view.by,
  asc: view.asc ? undefined : false,
  has: view.has || undefined,
  ...view.filters,
})

/** The filters that remove rows. */
export const narrowingFilters = <Filter extends string>(
  { filters }: TableView<Filter>,
  { widening = [] }: TableSpec<Filter>,
): Filter[] => (Object.keys(filters) as Filter[]).filter((name) => !widening.includes(name))
