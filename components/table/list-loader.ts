import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunction, Params } from 'react-router'
import { tablePreferencesIn } from './table-preferences'
import { queryOf, readView, type TableSpec, type TableView } from './table-url'

/** How long a screen waits for its rows, in milliseconds: those that come sooner need no placeholders before them. */
const patience = 400

/** What is known of a table before it is drawn: a part of what `useTableState` gives. */
export type AskedTable<Filter extends string> = TableView<Filter> & {
  /** What to ask the API. */
  query: ReturnType<typeof queryOf>
}

/** Asks for the rows that the address names before the screen is drawn. */
export const listLoader =
  <Filter extends string>(
    spec: TableSpec<Filter> & { name: string },
    ask: (client: QueryClient, table: AskedTable<Filter>, params: Params) => Promise<unknown>,
  ) =>
  (client: QueryClient): LoaderFunction =>
  async ({ request, params }) => {
    const { size } = tablePreferencesIn(client, spec.name)
    const view = readView(new URL(request.url).searchParams, spec, size)
    const table = { ...view, query: queryOf(view) }
    await Promise.race([ask(client, table, params), new Promise((resolve) => setTimeout(resolve, patience))])
    return null
  }
