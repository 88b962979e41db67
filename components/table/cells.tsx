import type { ReactNode } from 'react'
import styles from './table.module.css'

export type MarkKind = 'good' | 'held' | 'off' | 'warning' | 'unknown'

/** A state by shape, colour and word. */
export const Mark = ({ kind, children }: { kind: MarkKind; children: ReactNode }) => (
  <span className={`${styles.mark} ${styles[kind]}`}>{children}</span>
)

type CellBadgeProps = { isGood?: boolean; children: ReactNode }

export const CellBadge = ({ isGood = false, children }: CellBadgeProps) => (
  <span className={`${styles.badge} ${isGood ? styles.goodBadge : ''}`}>{children}</span>
)
