import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunction, Params } from 'react-router'
import { queryOf, readView, type TableSpec, type TableView } from './table-url'

/** How long (ms) a screen waits for its rows before it shows placeholders. */
const patience = 400

/** The part of `useTableState` that a loader knows. */
export type RequestedTable<Filter extends string> = TableView<Filter> & {
  /** The query of the API. */
  query: ReturnType<typeof queryOf>
}

/** Loads the rows that the URL names before the screen is rendered. */
export const listLoader =
  <Filter extends string>(
    spec: TableSpec<Filter>,
    ask: (client: QueryClient, table: RequestedTable<Filter>, params: Params) => Promise<unknown>,
  ) =>
  (client: QueryClient): LoaderFunction =>
  async ({ request, params }) => {
    const view = readView(new URL(request.url).searchParams, spec)
    const table = { ...view, query: queryOf(view) }
    await Promise.race([ask(client, table, params), new Promise((resolve) => setTimeout(resolve, patience))])
    return null
  }
