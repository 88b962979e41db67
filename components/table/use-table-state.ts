import { useSearchParams } from 'react-router'
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

export type TableState<Filter extends string = never> = ReturnType<typeof useTableState<Filter>>

const noSearch = new URLSearchParams()

/** The state of a table. All of it is in the URL: back, forward, reload and a link to a colleague keep the view. */
export function useTableState<Filter extends string = never>(spec: TableSpec<Filter>) {
  const [search, setSearch] = useSearchParams()
  const view = readView(search, spec)
  const narrowing = narrowingFilters(view, spec)
  const text = textOfView(spec, view)
  const filterValues: Readonly<Record<string, FilterValues>> = spec.filters ?? {}

  const change = (changes: Partial<TableView<Filter>>, replace = false) =>
    setSearch((now) => writeView(now, spec, { ...readView(now, spec), first: 0, ...changes }), {
      replace,
      preventScrollReset: true,
    })

  return {
    ...view,
    name: spec.name,
    prefix: spec.prefix,
    query: queryOf(view),
    isFiltered: view.has !== '' || narrowing.length > 0,
    /** The valid values of each filter. */
    filterValues,
    /** The view as a text to save, and whether it makes sense on this screen only. */
    currentView: { text, isLocal: namesThings(spec, view) },
    setOrder: (by: string, asc: boolean) => change({ by, asc }),
    /** The rows scroll without a step in the history. */
    setFirst: (first: number) => change({ first }, true),
    /** Replaces the text and all filters. Further typing replaces the history entry, so that one step back leaves the search. */
    setSearch: (has: string, filters: Readonly<Partial<Record<string, string>>>, isTyping = false) =>
      change({ has, filters: filters as TableView<Filter>['filters'] }, isTyping),
    clearFilters: () => {
      const cleared: Partial<Record<Filter, string>> = { ...view.filters }
      for (const name of narrowing) delete cleared[name]
      change({ has: '', filters: cleared })
    },
    /** The search part of the URL of a saved view. The empty text is the default list. */
    searchOfView: (saved: string) => `?${writeView(search, spec, viewOfText(spec, saved))}`,
    /** True if this saved view is the current one. */
    isCurrent: (saved: string) =>
      textOfView(spec, saved === '' ? readView(noSearch, spec) : viewOfText(spec, saved)) === text,
    /** The search part of the URL of this table from another row on. */
    searchOfRow: (first: number) => `?${writeView(search, spec, { ...view, first })}`,
  }
}
