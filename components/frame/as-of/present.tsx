import { type UseQueryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useIsPast } from '#components/base/screens/as-of'
import { Badge } from '#components/kit/status'
import { ApiFailure } from '#lib/client/api'
import { presentOf } from '#lib/client/past-client'
import { resourceQuery } from '#lib/client/resources.queries'
import { type Collection, ownLink } from '#lib/ground/http/view'
import { COMPARE } from './keep-moment'
import styles from './present.module.css'

/* "Compare with now": lists, facts, trees and maps of the past take the present values from here, and show both. */

/** Whether the screen of the past is compared with the present, and the client that reads the present. */
export function useComparing() {
  const isPast = useIsPast()
  const isAsked = useSearchParams()[0].get(COMPARE) !== null
  return { isOn: isPast && isAsked, client: presentOf(useQueryClient()) }
}

/** What a row is now: the row, or that it was removed since. */
export type Present<Row> = Row | 'gone'

type PresentOptions<Row, Read> = {
  isOn: boolean
  /** The queries of the same pages. */
  pages: readonly UseQueryOptions<Collection<Row>, Error, Collection<Row>, readonly unknown[]>[]
  loaded: readonly Row[]
  /** The query of a row that has left these pages; undefined: it cannot be asked for by itself. */
  one: (row: Row) => UseQueryOptions<Read, Error, Row | undefined, readonly unknown[]> | undefined
}

/** The present rows of the same pages, and each row that has left these pages, by their ids. A row that is missing is not known yet. */
export function usePresent<Row extends { id: number }, Read>(
  options: PresentOptions<Row, Read>,
): { present: ReadonlyMap<number, Present<Row>>; areRead: boolean } {
  const { isOn, loaded, one } = options
  const client = presentOf(useQueryClient())
  const pages = useQueries({ queries: isOn ? [...options.pages] : [] }, client)
  const rows = pages.flatMap(({ data }) => data?.collection ?? [])
  const there = new Map<number, Present<Row>>(rows.map((row) => [row.id, row]))
  const areRead = isOn && pages.every(({ isPending }) => !isPending)
  const missing = areRead
    ? loaded.flatMap((row) => {
        const query = there.has(row.id) ? undefined : one(row)
        return query ? [{ id: row.id, query: { ...query, retry: false } }] : []
      })
    : []
  const singles = useQueries({ queries: missing.map(({ query }) => query) }, client)
  for (const [index, { id }] of missing.entries()) {
    const { data, error } = singles[index] ?? {}
    if (data) there.set(id, data as Row)
    else if (isGone(error)) there.set(id, 'gone')
  }
  return { present: there, areRead }
}

export const isGone = (error: unknown): boolean => error instanceof ApiFailure && error.status === 404

export const pathOf = (document: object): string =>
  new URL(ownLink(document)?.href ?? '', window.location.origin).pathname

/** What a document of the past is now, while it is compared. */
export function usePresentDocument<T extends object>(document: T): T | undefined {
  const { isOn, client } = useComparing()
  const query = { ...resourceQuery<T>(pathOf(document)), enabled: isOn, retry: false }
  const { data } = useQuery(query, client)
  return isOn ? data?.document : undefined
}

const isSame = (one: HTMLElement | null, other: HTMLElement | null): boolean =>
  one?.childNodes.length === other?.childNodes.length &&
  [...(one?.childNodes ?? [])].every((node, index) => node.isEqualNode(other?.childNodes[index] ?? null))

/** The value of then, and that of now if one sees a difference. */
export function Both({ then, now }: { then: ReactNode; now: ReactNode }) {
  const say = useTranslations('layout.asOf.since')
  const before = useRef<HTMLSpanElement>(null)
  const after = useRef<HTMLSpanElement>(null)
  const [differs, setDiffers] = useState(false)
  useLayoutEffect(() => setDiffers(!isSame(before.current, after.current)))
  return (
    <>
      <span ref={before} className={differs ? styles.then : undefined}>
        {then}
      </span>
      {/* Not by the attribute: screens give spans a display of their own. */}
      <span className={styles.now} style={differs ? undefined : { display: 'none' }}>
        <span aria-hidden="true"> → </span>
        <span className="unseen">{say('now')}: </span>
        <span ref={after}>{now}</span>
      </span>
    </>
  )
}

const signs = { added: 'good', removed: 'bad', renamed: 'warn' } as const

/** Beside a name: what has happened to it since. */
export function SinceMark({ since }: { since: keyof typeof signs }) {
  return <Badge kind={signs[since]}>{useTranslations('layout.asOf.since')(since)}</Badge>
}

/** Above a list of the past that has no present beside it. */
export function NotCompared() {
  const say = useTranslations('layout.asOf.since')
  return useComparing().isOn ? <div className="quiet">{say('notHere')}</div> : null
}

/** Beside a tree or a map: how many marks it has. */
export function CountOfMarks({ count }: { count: number }) {
  const say = useTranslations('layout.asOf.since')
  return <div role="status">{say('marks', { count })}</div>
}
