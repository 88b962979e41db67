import { type ReactNode, useId } from 'react'
import styles from './progress.module.css'

type ProgressProps = {
  label: string
  /** The text beside it says what it is about: the label is for screen readers. */
  isBare?: boolean
  /** From 0 to 1; absent while nobody knows. */
  value?: number | undefined
  /** The figures behind it. */
  about?: ReactNode
}

export function Progress({ label, isBare = false, value, about }: ProgressProps) {
  const id = useId()
  return (
    <div className={styles.progress}>
      {!isBare && <label htmlFor={id}>{label}</label>}
      <progress id={id} aria-label={isBare ? label : undefined} value={value} max={1} />
      {about && <small role="status">{about}</small>}
    </div>
  )
}
