/** How many rows a page may have. */
export const pageSizes = [10, 25, 50, 100] as const

/** The values that a filter may take: these, the id of something, or any text. */
export type FilterValues = readonly string[] | 'id' | 'text'

/**
 * What a table remembers in the URL. `prefix` keeps two tables of one screen apart, `orders` are the server's names of
 * the columns to order by, `filters` names each further parameter with the values that it may take.
 */
export type TableSpec<Filter extends string = never> = {
  prefix?: string
  orders?: readonly string[]
  by?: string
  asc?: boolean
  size?: number
  filters?: Record<Filter, FilterValues>
  /** Those of the filters that show more rows, not fewer: no list is empty because of them. */
  widening?: readonly NoInfer<Filter>[]
}

export type TableView<Filter extends string = never> = {
  page: number
  size: number
  by: string | undefined
  asc: boolean
  has: string
  filters: Partial<Record<Filter, string>>
}

const defaultSize = 25

const nameIn = (prefix: string | undefined, name: string): string => (prefix ? `${prefix}.${name}` : name)

const filterNames = <Filter extends string>({ filters }: TableSpec<Filter>): Filter[] =>
  filters ? (Object.keys(filters) as Filter[]) : []

export function isFilterValue(values: FilterValues, value: string): boolean {
  if (values === 'id') return /^[1-9]\d{0,14}$/.test(value)
  return values === 'text' ? value !== '' && value.length <= 256 : values.includes(value)
}

const countOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

/** What the URL asks for; whatever in it is no use counts as absent. `preferredSize` is the user's own page size. */
export function readView<Filter extends string = never>(
  search: URLSearchParams,
  spec: TableSpec<Filter>,
  preferredSize?: number,
): TableView<Filter> {
  const get = (name: string) => search.get(nameIn(spec.prefix, name))
  const page = countOf(get('page'))
  const size = countOf(get('size'))
  // A link to page 3 without a size means 25 rows for everybody, whatever size the reader likes.
  const usualSize =
    page === undefined ? (preferredSize ?? spec.size ?? defaultSize) : (spec.size ?? defaultSize)
  const by = get('by')
  const asc = get('asc')
  const filters: Partial<Record<Filter, string>> = {}
  for (const name of filterNames(spec)) {
    const value = get(name)
    if (value !== null && spec.filters && isFilterValue(spec.filters[name], value)) filters[name] = value
  }
  return {
    page: page ?? 1,
    size: pageSizes.find((known) => known === size) ?? usualSize,
    by: by !== null && spec.orders?.includes(by) ? by : spec.by,
    asc: asc === 'true' || asc === 'false' ? asc === 'true' : (spec.asc ?? true),
    has: get('has') ?? '',
    filters,
  }
}

/** The URL of a view: what is as usual is left out, what belongs to others is left alone. */
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
  put('page', String(view.page), '1')
  put('size', String(view.size), String(spec.size ?? defaultSize))
  put('by', view.by, spec.by)
  put('asc', String(view.asc), String(spec.asc ?? true))
  put('has', view.has)
  for (const name of filterNames(spec)) put(name, view.filters[name])
  return written
}

/** The view as a text to keep: everything but the page, under names of its own on every screen. */
export const keptText = <Filter extends string = never>(spec: TableSpec<Filter>, view: TableView<Filter>) =>
  writeView(new URLSearchParams(), { ...spec, prefix: '' }, { ...view, page: 1 }).toString()

export const viewOfKept = <Filter extends string = never>(spec: TableSpec<Filter>, kept: string) =>
  readView(new URLSearchParams(kept), { ...spec, prefix: '' })

/** Does the view name something that is only here, like a network of this datacenter? */
export const namesThings = <Filter extends string = never>(
  { filters }: TableSpec<Filter>,
  view: TableView<Filter>,
): boolean => (Object.keys(view.filters) as Filter[]).some((name) => filters?.[name] === 'id')

/** The query of the API for a view (docs/api.md, "Paging"). */
export const queryOf = (view: TableView<string>) => ({
  startwith: (view.page - 1) * view.size,
  limit: view.size,
  by: view.by,
  asc: view.asc ? undefined : false,
  has: view.has || undefined,
  ...view.filters,
})

/** The filters of a view that leave rows out. */
export const narrowingFilters = <Filter extends string>(
  { filters }: TableView<Filter>,
  { widening = [] }: TableSpec<Filter>,
): Filter[] => (Object.keys(filters) as Filter[]).filter((name) => !widening.includes(name))

export const lastPage = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))
