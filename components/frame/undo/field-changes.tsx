import { useTranslations } from 'use-intl'
import type { EventDocument } from '#lib/record/events/events.schema'
import styles from './field-changes.module.css'
import { useFieldWords } from './use-field-words'

type FieldChangesProps = {
  changes: EventDocument['changes']
  /** The names of the two states, if they are not those before and after an event. */
  sides?: { before: string; after: string }
}

/** Each changed field, before and after. */
export function FieldChanges({ changes, sides }: FieldChangesProps) {
  const say = useTranslations('events.detail')
  const { nameOf } = useFieldWords()
  const fields = Object.entries(changes)
  // New objects have no old values, deleted ones no new values.
  const had = fields.some(([, { before, beforeHidden }]) => before !== undefined || beforeHidden)
  const has = fields.some(([, { after, afterHidden }]) => after !== undefined || afterHidden)
  return (
    <div>
      {!sides && <h3>{say('changes')}</h3>}
      {fields.length === 0 && <p className="quiet">{say('noChanges')}</p>}
      <dl className={styles.fields}>
        {fields.map(([field, { before, beforeHidden, after, afterHidden }]) => (
          <div key={field} className={styles.field}>
            <dt>{nameOf(field)}</dt>
            {had && (
              <dd className={styles.before}>
                <span className={styles.side}>{sides?.before ?? say('before')}</span>{' '}
                <Value text={before} isHidden={beforeHidden} />
              </dd>
            )}
            {has && (
              <dd className={styles.after}>
                <span className={styles.side}>{sides?.after ?? say('after')}</span>{' '}
                <Value text={after} isHidden={afterHidden} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}

type ValueProps = { text: string | undefined; isHidden: boolean | undefined }

function Value({ text, isHidden }: ValueProps) {
  const say = useTranslations('events.detail')
  const { textOf } = useFieldWords()
  const hidden = isHidden && <span className={styles.quiet}>{say('hidden')}</span>
  if (text === undefined) return hidden || <span className={styles.quiet}>{say('noValue')}</span>
  if (text === '') return <span className={styles.quiet}>{say('emptyText')}</span>
  return (
    <>
      <span className={styles.value}>{textOf(text)}</span> {hidden}
    </>
  )
}
