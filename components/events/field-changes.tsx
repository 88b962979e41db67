import Box from '@cloudscape-design/components/box'
import { useTranslations } from 'use-intl'
import type { EventDocument } from '#lib/events/events.schema'
import styles from './events.module.css'

/** Each field that changed, with what it was and what it is, by the names of the API. */
export function FieldChanges({ event: { changes } }: { event: EventDocument }) {
  const say = useTranslations('events.detail')
  const fields = Object.entries(changes)
  // What is new had nothing before, what is gone has nothing after.
  const had = fields.some(([, { before }]) => before !== undefined)
  const has = fields.some(([, { after }]) => after !== undefined)
  return (
    <div>
      <Box variant="h3">{say('changes')}</Box>
      {fields.length === 0 && <Box color="text-body-secondary">{say('noChanges')}</Box>}
      <dl className={styles.fields}>
        {fields.map(([field, { before, after }]) => (
          <div key={field} className={styles.field}>
            <dt>
              <Box variant="code">{field}</Box>
            </dt>
            {had && (
              <dd className={styles.before}>
                <span className={styles.side}>{say('before')}</span> <Value text={before} />
              </dd>
            )}
            {has && (
              <dd className={styles.after}>
                <span className={styles.side}>{say('after')}</span> <Value text={after} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}

function Value({ text }: { text: string | undefined }) {
  const say = useTranslations('events.detail')
  if (text === undefined) return <span className={styles.quiet}>{say('noValue')}</span>
  return text === '' ? (
    <span className={styles.quiet}>{say('emptyText')}</span>
  ) : (
    <span className={styles.value}>{text}</span>
  )
}
