import Pagination from '@cloudscape-design/components/pagination'
import { useTranslations } from 'use-intl'
import type { ServerTableProps } from './server-table'
import { lastPage } from './table-url'

const manyPages = 20

export function TablePages<Row>({ title, table, list }: ServerTableProps<Row>) {
  const say = useTranslations('layout.table')
  const pages = lastPage(list.data?.totalSize ?? 0, table.size)
  return (
    <Pagination
      currentPageIndex={list.data ? Math.min(table.page, pages) : table.page}
      pagesCount={list.data ? pages : Math.max(pages, table.page)}
      disabled={list.isPending}
      onChange={({ detail }) => table.setPage(detail.currentPageIndex)}
      pagesVariant="compact"
      {...(pages > manyPages && { jumpToPage: {} })}
      i18nStrings={{
        jumpToPageInputLabel: say('page'),
        jumpToPageError: say('pageFault', { last: pages }),
        pagesCompactText: ({ currentPage, pagesCount }) =>
          say('pageOf', { page: currentPage, pages: pagesCount }),
      }}
      ariaLabels={{
        paginationLabel: say('pages', { title }),
        previousPageLabel: say('previousPage'),
        nextPageLabel: say('nextPage'),
        pageLabel: (page) => say('pageNumber', { page }),
        jumpToPageButton: say('goToPage'),
      }}
    />
  )
}
