import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { Copy } from '#components/base/forms/copy'
import { Waiting } from '#components/base/forms/failure'
import { useId } from '#components/base/forms/ids'
import { SecretOnce, useNewSecret } from '#components/base/forms/secret-once'
import { useAction } from '#components/base/forms/use-action'
import { access } from '#components/base/screens/access'
import { AppButton } from '#components/base/screens/app-link'
import { ExactTime } from '#components/base/screens/moments'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { EventsOf } from '#components/events/events-of'
import { Page } from '#components/frame/layout/page'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Card, Row, Stack } from '#components/kit/layout'
import { CellBadge } from '#components/table/cells'
import { TableTabs } from '#components/table/table-tabs'
import { useOnce } from '#lib/client/once'
import { linkOf } from '#lib/ground/http/view'
import {
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  webhookQuery,
} from '#lib/people/webhooks/webhooks.queries'
import type { WebhookDocument } from '#lib/people/webhooks/webhooks.schema'
import { Deliveries } from './deliveries'
import styles from './webhooks.module.css'
import { WebhookState } from './webhooks-table'

/** One webhook: its address, its events, and its deliveries. */
export function Component() {
  const say = useTranslations('webhooks')
  const sayLayout = useTranslations('layout.navigation')
  const id = useId('webhook')
  const read = useQuery(webhookQuery(id))
  const secret = useNewSecret('webhook', id)
  const mayManage = useMay(...access.manageSettings)
  const webhook = read.data?.document
  return (
    <Page
      title={webhook?.name ?? say('unknown', { id: String(id) })}
      breadcrumbs={[
        { text: sayLayout('settings'), href: paths.settings() },
        { text: say('title'), href: paths.webhooks() },
      ]}
      actions={webhook && mayManage && <Actions webhook={webhook} />}
    >
      {webhook ? (
        <Stack gap="l">
          {secret && (
            <SecretOnce secret={secret} label={say('secret.label')} copyLabel={say('secret.copy')}>
              {say('secret.pass')}
            </SecretOnce>
          )}
          <WebhookFacts webhook={webhook} />
          <TableTabs
            label={say('tabs', { name: webhook.name })}
            tabs={[
              { id: 'deliveries', label: say('deliveries.title'), content: <Deliveries webhook={id} /> },
              { id: 'events', content: <EventsOf entity="webhook" entityid={id} /> },
            ]}
          />
        </Stack>
      ) : (
        <Waiting read={read} />
      )}
    </Page>
  )
}

function WebhookFacts({ webhook }: { webhook: WebhookDocument }) {
  const say = useTranslations('webhooks')
  const label = useTranslations('labels')
  const creator = linkOf(webhook, 'user')
  const { url, events, failingSince } = webhook
  return (
    <Card>
      <Facts
        columns={4}
        items={[
          { label: say('form.url'), value: <Copy inline text={url} label={say('copyUrl')} /> },
          {
            label: say('form.events'),
            value: (
              <div className={styles.patterns}>
                {events.map((pattern) => (
                  <CellBadge key={pattern}>{pattern}</CellBadge>
                ))}
              </div>
            ),
          },
          {
            label: label('state'),
            value: (
              <>
                <WebhookState webhook={webhook} />
                {failingSince !== undefined && (
                  <div className="small">
                    {say.rich('state.since', { time: () => <ExactTime at={failingSince} /> })}
                  </div>
                )}
              </>
            ),
          },
          { label: say('creator'), value: creator ? <ScreenLink link={creator} /> : say('hiddenCreator') },
        ]}
      />
    </Card>
  )
}

function Actions({ webhook }: { webhook: WebhookDocument }) {
  const say = useTranslations('webhooks')
  const label = useTranslations('labels')
  const sayCommon = useTranslations('common')
  const [open, setOpen] = useState<'none' | 'rotate' | 'remove'>('none')
  const { id, name } = webhook
  const close = () => setOpen('none')
  const change = useSearchChange()
  const testing = useMutation(testWebhook(id, useOnce()))
  const test = useAction(testing, {
    done: ({ status }) => ({
      type: status === 'delivered' ? 'success' : 'warning',
      content: say(`test.${status}`, { name }),
    }),
    failed: () => say('test.refused', { name }),
    onDone: ({ id: delivery }) => change({ tab: 'deliveries', delivery: String(delivery) }),
  })
  return (
    <Row>
      <Button busy={testing.isPending} busyText={say('test.busy')} onPress={() => test()}>
        {say('test.send')}
      </Button>
      <Button onPress={() => setOpen('rotate')}>{label('generateSecret')}</Button>
      <Button onPress={() => setOpen('remove')}>{sayCommon('delete')}</Button>
      <AppButton look="main" data-key="e" to={paths.editWebhook(id)}>
        {sayCommon('edit')}
      </AppButton>
      {open === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {open === 'remove' && <RemoveWebhook webhook={webhook} onClose={close} />}
    </Row>
  )
}

const strong = (inside: ReactNode) => <strong>{inside}</strong>

type DialogProps = { webhook: WebhookDocument; onClose: () => void }

/** Asks before a new secret replaces the one that the receiver verifies with. */
function RotateSecret({ webhook: { id, name }, onClose }: DialogProps) {
  const say = useTranslations('webhooks.rotate')
  const label = useTranslations('labels')
  return (
    <Confirm
      title={say('title')}
      label={label('generateSecret')}
      mutation={useMutation(rotateWebhookSecret(id))}
      input={undefined}
      done={() => say('done', { name })}
      onDone={onClose}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: strong })}
    </Confirm>
  )
}

function RemoveWebhook({ webhook: { id, name }, onClose }: DialogProps) {
  const say = useTranslations('webhooks.remove')
  const navigate = useNavigate()
  return (
    <Confirm
      title={say('title')}
      read={useQuery(webhookQuery(id))}
      mutation={useMutation(removeWebhook())}
      done={() => say('done', { name })}
      onDone={() => void navigate(paths.webhooks())}
      onCancel={onClose}
    >
      {say.rich('text', { name, b: strong })}
    </Confirm>
  )
}
