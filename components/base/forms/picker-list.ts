import type { SelectProps } from '@cloudscape-design/components/select'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '#lib/client/api'

/** The part of `useInfiniteQuery` that a picker needs. */
type List = {
  isPending: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  isError: boolean
  isFetchNextPageError: boolean
  hasNextPage: boolean
  error: Error | null
  refetch: () => unknown
  fetchNextPage: () => unknown
}

type Words = { loading: string; failed: string }

type Status = 'loading' | 'error' | 'pending' | 'finished'

type ListState = Pick<List, 'isPending' | 'isFetching' | 'isError' | 'hasNextPage'>

export function statusOf({ isPending, isFetching, isError, hasNextPage }: ListState): Status {
  if (isPending || isFetching) return 'loading'
  if (isError) return 'error'
  return hasNextPage ? 'pending' : 'finished'
}

/** The failure of a list in one line, because a picker shows only text. */
export function failureLine(failed: string, error: unknown, requestId: string): string {
  if (!(error instanceof ApiFailure)) return failed
  const codes = error.faults.map(({ code }) => code)
  const noted = error.requestId ? [`${requestId} ${error.requestId}`] : []
  return `${failed} ${[...codes, ...noted].join(' · ')}`
}

/** The properties of a picker whose items the server searches by the typed text and sends page by page. */
export function usePickerList(list: List, words: Words, onSearch: (has: string) => void) {
  const say = useTranslations('common')
  const onLoadItems: SelectProps['onLoadItems'] = ({ detail }) => {
    if (detail.firstPage) onSearch(detail.filteringText)
    if (detail.samePage) void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())
    else if (!detail.firstPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }
  return {
    statusType: statusOf(list),
    loadingText: words.loading,
    errorText: failureLine(words.failed, list.error, say('requestId')),
    recoveryText: say('tryAgain'),
    onLoadItems,
  }
}
