import { useTranslations } from 'use-intl'
import { ApiFailure } from '#lib/client/api'

/** The part of `useInfiniteQuery` that a picker needs. */
type List = {
  isPending: boolean
  isFetching: boolean
  isError: boolean
  hasNextPage: boolean
  error: Error | null
  refetch: () => unknown
  fetchNextPage: () => unknown
}

type Words = { loading: string; failed: string; none: string }

/** The failure of a list in one line, because a picker shows only text. */
export function failureLine(failed: string, error: unknown, requestId: string): string {
  if (!(error instanceof ApiFailure)) return failed
  const codes = error.faults.map(({ code }) => code)
  const noted = error.requestId ? [`${requestId} ${error.requestId}`] : []
  return `${failed} ${[...codes, ...noted].join(' · ')}`
}

/** The properties of a picker whose options the server searches by the typed text and sends page by page. */
export function usePickerList(list: List, words: Words, onSearch: (has: string) => void) {
  const requestId = useTranslations('common')('requestId')
  const state = list.isError
    ? failureLine(words.failed, list.error, requestId)
    : list.isPending || list.isFetching
      ? words.loading
      : words.none
  return {
    empty: state,
    onMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined,
    onSearch: (has: string) => {
      // Opening the list again repeats the failed request.
      if (list.isError) void list.refetch()
      onSearch(has)
    },
  }
}
