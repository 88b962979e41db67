import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
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
  <Box textAlign="center" padding={{ vertical: 'l' }}>
    <SpaceBetween size="s" alignItems="center">
      <Drawing />
      <div>
        <Box variant="strong" display="block" color="inherit">
          {title}
        </Box>
        <Box variant="p" color="text-body-secondary">
          {hint}
        </Box>
      </div>
      {action}
    </SpaceBetween>
  </Box>
)

export function NoMatch({ onClear }: { onClear: () => void }) {
  const say = useTranslations('layout.table')
  return (
    <NothingYet
      title={say('noMatches')}
      hint={say('noMatchesHint')}
      action={<Button onClick={onClear}>{say('clearFilter')}</Button>}
    />
  )
}

/** Spins while the next page is loading and the previous one is still visible; at rest nothing turns, not even unseen. */
export const Progress = ({ isActive }: { isActive: boolean }) => (
  <span aria-hidden="true" className={styles.progress}>
    {isActive && <Spinner />}
  </span>
)
