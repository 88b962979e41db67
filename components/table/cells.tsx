import type { ReactNode } from 'react'
import { type Sign, SignOf } from '#components/kit/state'
import styles from './table.module.css'

export const signs = {
  good: 'free',
  held: 'held',
  off: 'off',
  warning: 'warn',
  unknown: 'unknown',
} as const satisfies Record<string, Sign>

export type MarkKind = keyof typeof signs

/** A state by the sign that it has everywhere, and by its word. */
export const Mark = ({ kind, children }: { kind: MarkKind; children: ReactNode }) => (
  <span className={styles.mark}>
    <SignOf sign={signs[kind]} />
    {children}
  </span>
)

type CellBadgeProps = { isGood?: boolean; children: ReactNode }

export const CellBadge = ({ isGood = false, children }: CellBadgeProps) => (
  <span className={`${styles.badge} ${isGood ? styles.good : ''}`}>{children}</span>
)
