import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { idIn } from '#components/base/forms/ids'
import { AppLink } from '#components/base/screens/app-link'
import { ExactTime } from '#components/base/screens/moments'
import { useSearchChange, useSearchPath } from '#components/base/screens/use-search-change'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { deliveriesQuery } from '#lib/people/webhooks/webhooks.queries'
import { deliveryStatuses, type WebhookDeliveryDocument } from '#lib/people/webhooks/webhooks.schema'
import type { Say } from '#lib/words/words'
import { DeliveryDialog, DeliveryStatus, problemOf } from './delivery-dialog'

const filters = { status: deliveryStatuses } as const

/** The deliveries of a webhook, the newest first. Each opens with its request and answer. */
export function Deliveries({ webhook }: { webhook: number }) {
  const say = useTranslations('webhooks.deliveries')
  const label = useTranslations('labels')
  const open = idIn(useSearchParams()[0], 'delivery')
  const change = useSearchChange()
  const pathWith = useSearchPath()
  const table = useTableState({ name: 'deliveries', prefix: 'deliveries', by: 'id', asc: false, filters })
  const list = useList(table, (startwith) => deliveriesQuery(webhook, { ...table.query, startwith }))
  return (
    <>
      <ServerTable
        title={say('title')}
        table={table}
        list={list}
        columns={columnsOf(say, (id) => pathWith({ delivery: String(id) }))}
        tokens={[
          {
            key: 'status',
            label: label('state'),
            values: deliveryStatuses.map((value) => ({ value, label: say(`statuses.${value}`) })),
          },
        ]}
        actions={
          <Tool
            icon={screenIcons.refresh}
            label={say('refresh')}
            busy={list.isFetching}
            onPress={() => void list.refetch()}
          />
        }
        empty={{ title: say('empty'), hint: say('emptyHint') }}
      />
      {open !== undefined && (
        <DeliveryDialog webhook={webhook} delivery={open} onClose={() => change({ delivery: undefined })} />
      )}
    </>
  )
}

const columnsOf = (
  say: Say<'webhooks.deliveries'>,
  pathOf: (delivery: number) => string,
): TableColumn<WebhookDeliveryDocument>[] => [
  {
    id: 'created',
    header: say('created'),
    by: 'id',
    isRowHeader: true,
    cell: ({ id, created }) => (
      <AppLink to={pathOf(id)} label={say('show', { id: String(id) })}>
        <ExactTime at={created} />
      </AppLink>
    ),
  },
  { id: 'event', header: say('event'), cell: ({ event }) => event ?? '–' },
  { id: 'state', cell: ({ status }) => <DeliveryStatus status={status} /> },
  { id: 'tries', header: say('tries'), isNumber: true, cell: ({ tries }) => tries },
  { id: 'next', header: say('next'), cell: ({ next }) => (next ? <ExactTime at={next} /> : '–') },
  {
    id: 'answer',
    header: say('answer'),
    maxWidth: 320,
    cell: (delivery) =>
      delivery.answerStatus ?? (delivery.problem === undefined ? '–' : problemOf(say, delivery)),
  },
  idColumn,
]
