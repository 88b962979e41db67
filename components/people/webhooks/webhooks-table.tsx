import { useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppButton, AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { Mark } from '#components/table/cells'
import { ServerTable } from '#components/table/server-table'
import { idColumn, type TableColumn } from '#components/table/table-columns'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { linkOf } from '#lib/ground/http/view'
import { webhooksQuery } from '#lib/people/webhooks/webhooks.queries'
import type { WebhookDocument } from '#lib/people/webhooks/webhooks.schema'
import type { Say } from '#lib/words/words'

/** All webhooks, for a tab of the settings. */
export function WebhooksTable() {
  const say = useTranslations('webhooks')
  const table = useTableState({ name: 'webhooks', by: 'name' })
  const list = useList(table, (startwith) => webhooksQuery({ ...table.query, startwith }))
  const mayManage = useMay(...access.manageSettings)
  const create = mayManage && (
    <AppButton look="main" data-key="n" to={paths.newWebhook()}>
      {say('create')}
    </AppButton>
  )
  return (
    <ServerTable
      title={say('title')}
      table={table}
      list={list}
      columns={columnsOf(say)}
      filterLabel={say('find')}
      actions={create}
      empty={{
        title: say('empty'),
        hint: mayManage ? say('emptyCreate') : say('emptyAsk'),
        action: create,
      }}
    />
  )
}

/** Whether the webhook is active, and whether its deliveries succeed. */
export function WebhookState({ webhook }: { webhook: Pick<WebhookDocument, 'active' | 'failingSince'> }) {
  const say = useTranslations('webhooks.state')
  if (!webhook.active) return <Mark kind="off">{say('inactive')}</Mark>
  if (webhook.failingSince !== undefined) return <Mark kind="warning">{say('failing')}</Mark>
  return <Mark kind="good">{say('active')}</Mark>
}

const columnsOf = (say: Say<'webhooks'>): TableColumn<WebhookDocument>[] => [
  {
    id: 'name',
    by: 'name',
    isRowHeader: true,
    cell: ({ id, name }) => <AppLink to={paths.webhook(id)}>{name}</AppLink>,
  },
  { id: 'state', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { id: 'url', header: say('form.url'), maxWidth: 360, cell: ({ url }) => url },
  { id: 'events', maxWidth: 280, cell: ({ events }) => events.join(', ') },
  {
    id: 'creator',
    header: say('creator'),
    cell: (webhook) => {
      const link = linkOf(webhook, 'user')
      return link ? <ScreenLink link={link} /> : '–'
    },
  },
  idColumn,
]
