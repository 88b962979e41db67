import Box from '@cloudscape-design/components/box'
import Pagination from '@cloudscape-design/components/pagination'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { PlanDocument } from '#lib/state/plans/plans.schema'
import { type Counts, narrowed, type PlanRow, type PlanView, planViews, rowsOf } from './plan-rows'

const PAGE = 25

const looks = {
  create: 'success',
  update: 'info',
  delete: 'warning',
  refused: 'error',
} as const satisfies Record<PlanRow['kind'], StatusIndicatorProps.Type>

type PlanTableProps = { plan: PlanDocument; counts: Counts }

/** The operations and refusals of a plan, a page at a time. */
export function PlanTable({ plan, counts }: PlanTableProps) {
  const say = useTranslations('layout.import')
  const sayTable = useTranslations('layout.table')
  const [view, setView] = useState<PlanView>('all')
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const word = useDeferredValue(text)
  const rows = useMemo(() => rowsOf(plan), [plan])
  const shown = useMemo(() => narrowed(rows, view, word), [rows, view, word])
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  return (
    <SpaceBetween size="s">
      <SegmentedControl
        label={say('views.label')}
        selectedId={view}
        options={planViews.map((id) => ({ id, text: say(`views.${id}`, { count: counts[id] }) }))}
        onChange={({ detail }) => {
          setView(planViews.find((id) => id === detail.selectedId) ?? 'all')
          setPage(1)
        }}
      />
      <Table
        variant="embedded"
        contentDensity="compact"
        wrapLines
        items={shown.slice((page - 1) * PAGE, page * PAGE)}
        trackBy="id"
        columnDefinitions={useColumns()}
        ariaLabels={{ tableLabel: say('difference') }}
        empty={sayTable('noMatches')}
        filter={
          <TextFilter
            filteringText={text}
            filteringAriaLabel={say('find')}
            filteringPlaceholder={say('find')}
            onChange={({ detail }) => {
              setText(detail.filteringText)
              setPage(1)
            }}
          />
        }
        pagination={
          <Pagination
            currentPageIndex={page}
            pagesCount={pages}
            onChange={({ detail }) => setPage(detail.currentPageIndex)}
            pagesVariant="compact"
            i18nStrings={{
              pagesCompactText: ({ currentPage, pagesCount }) =>
                sayTable('pageOf', { page: currentPage, pages: pagesCount }),
            }}
            ariaLabels={{
              paginationLabel: sayTable('pages', { title: say('difference') }),
              previousPageLabel: sayTable('previousPage'),
              nextPageLabel: sayTable('nextPage'),
            }}
          />
        }
      />
    </SpaceBetween>
  )
}

function useColumns(): TableProps.ColumnDefinition<PlanRow>[] {
  const say = useTranslations('layout.import')
  return [
    { id: 'line', header: say('line'), minWidth: 70, cell: ({ line }) => line ?? '–' },
    {
      id: 'kind',
      header: say('kind'),
      minWidth: 150,
      cell: ({ kind }) => <StatusIndicator type={looks[kind]}>{say(`kinds.${kind}`)}</StatusIndicator>,
    },
    {
      id: 'name',
      header: say('name'),
      minWidth: 160,
      isRowHeader: true,
      cell: ({ name, place }) => <Named name={name} place={place} />,
    },
    { id: 'field', header: say('column'), minWidth: 160, cell: ({ field }) => field ?? '–' },
    { id: 'changes', header: say('changes'), minWidth: 280, cell: (row) => <Changes row={row} /> },
  ]
}

function Named({ name, place }: Pick<PlanRow, 'name' | 'place'>) {
  return (
    <>
      {name}
      {place && (
        <Box variant="small" display="block">
          {place}
        </Box>
      )}
    </>
  )
}

function Changes({ row: { lines, code } }: { row: PlanRow }) {
  return (
    <>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
      {code && <Box variant="small">{code}</Box>}
    </>
  )
}
