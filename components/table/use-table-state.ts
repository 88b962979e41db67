import { useSearchParams } from 'react-router'
import type { RequestedTable } from './list-loader'
import { useTablePreferences } from './table-preferences'
import {
  type FilterValues,
  namesThings,
  narrowingFilters,
  queryOf,
  readView,
  type TableSpec,
  type TableView,
  textOfView,
  viewOfText,
  writeView,
} from './table-url'

export type TableState<Filter extends string = never> = RequestedTable<Filter> & {
  /** The name of the table in the user's preferences. */
  name: string
  isFiltered: boolean
  /** The valid values of each filter. */
  filterValues: Readonly<Record<string, FilterValues>>
  /** The view as a text to save, and whether it makes sense on this screen only. */
  currentView: { text: string; isLocal: boolean }
  setOrder: (by: string, asc: boolean) => void
  setPage: (page: number) => void
  setSize: (size: number) => void
  setHas: (has: string) => void
  setFilter: (filter: Filter, value: string | undefined) => void
  /** Replaces the text and all filters. */
  setSearch: (has: string, filters: Readonly<Partial<Record<string, string>>>) => void
  clearFilters: () => void
  /** Shows a saved view. */
  openView: (text: string) => void
  /** True if this saved view is the current one. */
  isCurrent: (text: string) => boolean
  /** The search part of the URL of another page of this table. */
  searchOfPage: (page: number) => string
}

/** The state of a table. All of it is in the URL: back, forward, reload and a link to a colleague keep the view. */
export function useTableState<Filter extends string = never>({
  name,
  ...spec
}: TableSpec<Filter> & { name: string }): TableState<Filter> {
  const [search, setSearch] = useSearchParams()
  const [{ size }] = useTablePreferences(name)
  const view = readView(search, spec, size)
  const narrowing = narrowingFilters(view, spec)
  const text = textOfView(spec, view)

  const change = (changes: Partial<TableView<Filter>>, replace = false) =>
    setSearch((now) => writeView(now, spec, { ...readView(now, spec, size), page: 1, ...changes }), {
      replace,
      preventScrollReset: true,
    })

  return {
    ...view,
    name,
    query: queryOf(view),
    isFiltered: view.has !== '' || narrowing.length > 0,
    filterValues: spec.filters ?? {},
    currentView: { text, isLocal: namesThings(spec, view) },
    setOrder: (by, asc) => change({ by, asc }),
    setPage: (page) => change({ page }),
    setSize: (size) => change({ size }),
    // Further typing replaces the history entry, so that one step back leaves the search.
    setHas: (has) => change({ has }, view.has !== '' && has !== ''),
    setFilter: (filter, value) => change({ filters: { ...view.filters, [filter]: value } }),
    setSearch: (has, filters) => change({ has, filters: filters as TableView<Filter>['filters'] }),
    clearFilters: () => {
      const cleared: Partial<Record<Filter, string>> = { ...view.filters }
      for (const name of narrowing) delete cleared[name]
      change({ has: '', filters: cleared })
    },
    openView: (other) => change(viewOfText(spec, other)),
    isCurrent: (other) => textOfView(spec, viewOfText(spec, other)) === text,
    searchOfPage: (page) => `?${writeView(search, spec, { ...view, page })}`,
  }
}
