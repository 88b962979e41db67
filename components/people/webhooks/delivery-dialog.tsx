import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Dialog } from '#components/base/forms/dialog'
import { Waiting } from '#components/base/forms/failure'
import { ExactTime } from '#components/base/screens/moments'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Stack } from '#components/kit/layout'
import { Mark, type MarkKind } from '#components/table/cells'
import { problemNamed } from '#lib/people/webhooks/problems'
import { deliveryQuery } from '#lib/people/webhooks/webhooks.queries'
import type { WebhookDeliveryDocument } from '#lib/people/webhooks/webhooks.schema'
import type { Say } from '#lib/words/words'
import styles from './webhooks.module.css'

const marks: Record<WebhookDeliveryDocument['status'], MarkKind> = {
  pending: 'held',
  delivered: 'good',
  failed: 'warning',
}

export function DeliveryStatus({ status }: Pick<WebhookDeliveryDocument, 'status'>) {
  const say = useTranslations('webhooks.deliveries.statuses')
  return <Mark kind={marks[status]}>{say(status)}</Mark>
}

/** Why the last attempt failed. */
export function problemOf(
  say: Say<'webhooks.deliveries'>,
  { answerStatus, problem = '' }: Pick<WebhookDeliveryDocument, 'answerStatus' | 'problem'>,
): string {
  if (answerStatus !== undefined) return say('answered', { status: String(answerStatus) })
  const name = problemNamed(problem)
  return name ? say(`problems.${name}`) : problem
}

type DeliveryDialogProps = { webhook: number; delivery: number; onClose: () => void }

/** One delivery: its last request, and the answer. */
export function DeliveryDialog({ webhook, delivery, onClose }: DeliveryDialogProps) {
  const say = useTranslations('webhooks.deliveries')
  const sayCommon = useTranslations('common')
  const read = useQuery({ ...deliveryQuery(webhook, delivery), refetchOnMount: 'always' })
  return (
    <Dialog
      header={say('one', { id: String(delivery) })}
      size="large"
      actions={
        <Button look="main" onPress={onClose}>
          {sayCommon('close')}
        </Button>
      }
      onDismiss={onClose}
    >
      {read.data ? <Shown delivery={read.data.document} /> : <Waiting read={read} />}
    </Dialog>
  )
}

function Shown({ delivery }: { delivery: WebhookDeliveryDocument }) {
  const say = useTranslations('webhooks.deliveries')
  const format = useFormatter()
  const none = useTranslations('common')('none')
  const { status, event, tries, tried, next, duration, answerStatus, problem, message, request, answer } =
    delivery
  const time = (at: string | undefined) => (at === undefined ? none : <ExactTime at={at} />)
  const milliseconds = { style: 'unit', unit: 'millisecond' } as const
  return (
    <Stack gap="l">
      <div role="status">
        <DeliveryStatus status={status} />
        {problem !== undefined && <p>{problemOf(say, delivery)}</p>}
      </div>
      <Facts
        columns={3}
        items={[
          { label: say('event'), value: event ?? none },
          { label: say('tries'), value: format.number(tries) },
          { label: say('tried'), value: time(tried) },
          { label: say('next'), value: time(next) },
          { label: say('answer'), value: answerStatus ?? none },
          {
            label: say('duration'),
            value: duration === undefined ? none : format.number(duration, milliseconds),
          },
          { label: say('message'), value: message ?? none },
        ]}
      />
      {request === undefined ? (
        <div className="quiet">{say(tries === 0 ? 'notSent' : 'hidden')}</div>
      ) : (
        <>
          <Content title={say('request')} text={indented(request)} />
          <Content title={say('answerText')} text={answer || say('noText')} />
        </>
      )}
    </Stack>
  )
}

const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

function Content({ title, text }: { title: string; text: string }) {
  const say = useTranslations('webhooks.deliveries')
  return (
    <section aria-label={title}>
      <div className={styles.heading}>
        <h3>{title}</h3>
        <Copy text={text} label={say('copy', { title })} />
      </div>
      <pre className={styles.content}>{text}</pre>
    </section>
  )
}
