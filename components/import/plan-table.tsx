import { useDeferredValue, useMemo, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { FaultText } from '#components/base/forms/failure'
import { FilterField } from '#components/kit/filter'
import { Row, Stack } from '#components/kit/layout'
import { Pager } from '#components/kit/pager'
import { Segments } from '#components/kit/segments'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import { Status } from '#components/kit/status'
import type { PlanDocument } from '#lib/state/plans/plans.schema'
import { type Counts, narrowed, type PlanRow, type PlanView, planViews, rowsOf } from './plan-rows'

const PAGE = 25

const looks = { create: 'good', update: 'info', delete: 'warn', refused: 'bad' } as const satisfies Record<
  PlanRow['kind'],
  string
>

type PlanTableProps = { plan: PlanDocument; counts: Counts }

/** The operations and refusals of a plan, a page at a time. */
export function PlanTable({ plan, counts }: PlanTableProps) {
  const say = useTranslations('layout.import')
  const sayTable = useTranslations('layout.table')
  const format = useFormatter()
  const [view, setView] = useState<PlanView>('all')
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const word = useDeferredValue(text)
  const rows = useMemo(() => rowsOf(plan), [plan])
  const shown = useMemo(() => narrowed(rows, view, word), [rows, view, word])
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  const first = (page - 1) * PAGE
  const onPage = shown.slice(first, first + PAGE)
  return (
    <Stack gap="s">
      <Segments
        label={say('views.label')}
        value={view}
        choices={planViews.map((id) => ({ value: id, text: say(`views.${id}`, { count: counts[id] }) }))}
        onChange={(id) => {
          setView(id)
          setPage(1)
        }}
      />
      <Row>
        <FilterField
          label={say('find')}
          clearLabel={sayTable('clearText')}
          text={text}
          state={text}
          onFilter={(next) => {
            setText(next)
            setPage(1)
            return next
          }}
        />
        {shown.length > PAGE && (
          <Pager
            label={sayTable('pages', { title: say('difference') })}
            position={`${format.number(first + 1)}–${format.number(first + onPage.length)}`}
            before={{ label: sayTable('previousPage'), go: page > 1 ? () => setPage(page - 1) : undefined }}
            after={{ label: sayTable('nextPage'), go: page < pages ? () => setPage(page + 1) : undefined }}
          />
        )}
      </Row>
      <SimpleTable
        label={say('difference')}
        columns={useColumns()}
        rows={onPage}
        keyOf={({ id }) => id}
        empty={sayTable('noMatches')}
      />
    </Stack>
  )
}

function useColumns(): SimpleColumn<PlanRow>[] {
  const say = useTranslations('layout.import')
  return [
    { id: 'line', header: say('line'), minWidth: 70, cell: ({ line }) => line ?? '–' },
    {
      id: 'kind',
      header: say('kind'),
      minWidth: 110,
      cell: ({ kind }) => <Status kind={looks[kind]}>{say(`kinds.${kind}`)}</Status>,
    },
    {
      id: 'name',
      header: say('name'),
      minWidth: 160,
      isRowHeader: true,
      cell: ({ name, place }) => (
        <>
          {name}
          {place && <small>{place}</small>}
        </>
      ),
    },
    { id: 'field', header: say('column'), minWidth: 160, cell: ({ field }) => field ?? '–' },
    { id: 'changes', header: say('changes'), minWidth: 280, cell: (row) => <Changes row={row} /> },
  ]
}

function Changes({ row: { lines, code } }: { row: PlanRow }) {
  return lines.map((line) =>
    code === undefined ? (
      <div key={line}>{line}</div>
    ) : (
      <FaultText key={line} fault={{ code, message: line }} />
    ),
  )
}
