import { useTranslations } from 'use-intl'
import { Status } from '#components/kit/status'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import styles from './jobs.module.css'

type Refused = { report: { refused: number; refusals: Readonly<BulkReport['refusals']> } }

/** The rows that a change was refused for, each with the reason. */
export function RefusedRows({ report: { refused, refusals } }: Refused) {
  const say = useTranslations('layout.bulk')
  const more = refused - refusals.length
  return (
    <>
      {refusals.length > 0 && (
        <ul className={styles.refused} aria-label={say('results')}>
          {refusals.map(({ id, name, code, message }) => (
            <li key={id}>
              <span>{name ?? `#${id}`}</span>
              <div>
                <Status kind="bad">{message}</Status>
                <small>{code}</small>
              </div>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="quiet">{say('moreRefused', { count: more })}</p>}
    </>
  )
}
