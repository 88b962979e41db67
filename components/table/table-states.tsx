import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/kit/button'
import { Spinner } from '#components/kit/spinner'
import styles from './table.module.css'

/** The empty state of a list: its purpose and the next step. */
export type EmptyState = { title: string; hint: ReactNode; action?: ReactNode }

/** Two rows that are not there yet. */
const Drawing = () => (
  <svg className={styles.drawing} viewBox="0 0 96 56" aria-hidden="true">
    <rect x="14" y="7" width="68" height="18" rx="5" />
    <rect x="14" y="31" width="68" height="18" rx="5" strokeDasharray="4 4" />
    <path d="M23 16h.01M32 16h26M68 16h6" />
  </svg>
)

export const NothingYet = ({ title, hint, action }: EmptyState) => (
  <div className={`kit ${styles.empty}`}>
    <Drawing />
    <strong>{title}</strong>
    <p>{hint}</p>
    {action}
  </div>
)

export function NoMatch({ onClear }: { onClear: () => void }) {
  const say = useTranslations('layout.table')
  return (
    <NothingYet
      title={say('noMatches')}
      hint={say('noMatchesHint')}
      action={<Button onPress={onClear}>{say('clearFilter')}</Button>}
    />
  )
}

/** Spins while the next page is loading and the previous one is still visible; at rest nothing turns, not even unseen. */
export const Progress = ({ isActive }: { isActive: boolean }) => (
  <span aria-hidden="true" className={styles.progress}>
    {isActive && <Spinner />}
  </span>
)
