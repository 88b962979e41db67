import type { ReactNode } from 'react'
import { drawing } from './icons'
import { Spinner } from './spinner'
import styles from './status.module.css'

export type StatusKind = 'good' | 'warn' | 'bad' | 'info' | 'off' | 'busy'

const circle = 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4z'

const signs: Readonly<Record<StatusKind, ReactNode>> = {
  good: drawing(<path d={`${circle}M5.2 8.2l2 2 3.6-4.2`} />),
  warn: drawing(<path d="M8 2 14.6 13.6H1.4zM8 6.4v3.4M8 11.6v.1" />),
  bad: drawing(<path d={`${circle}M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2`} />),
  info: drawing(<path d={`${circle}M8 7.4v3.8M8 4.9V5`} />),
  off: drawing(<path d={`${circle}M5.2 8h5.6`} />),
  busy: <Spinner />,
}

type StatusProps = {
  kind: StatusKind
  /** The name of the sign, where the text alone does not say it. */
  signLabel?: string | undefined
  children?: ReactNode
}

/** How something stands: a sign with its text. */
export const Status = ({ kind, signLabel, children }: StatusProps) => (
  <span className={`${styles.status} ${styles[kind]}`}>
    {signLabel !== undefined ? (
      <span role="img" aria-label={signLabel}>
        {signs[kind]}
      </span>
    ) : (
      signs[kind]
    )}
    <span>{children}</span>
  </span>
)

/** A word about something, in a pill. */
export const Badge = ({
  kind = 'off',
  children,
}: {
  kind?: Exclude<StatusKind, 'busy'>
  children: ReactNode
}) => <span className={`${styles.badge} ${styles[kind]}`}>{children}</span>
