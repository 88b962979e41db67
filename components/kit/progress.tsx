import { type ReactNode, useId } from 'react'
import styles from './progress.module.css'

type ProgressProps = {
  label: string
  /** From 0 to 1; absent while nobody knows. */
  value?: number | undefined
  /** The figures behind it. */
  about?: ReactNode
}

export function Progress({ label, value, about }: ProgressProps) {
  const id = useId()
  return (
    <div className={styles.progress}>
      <label htmlFor={id}>{label}</label>
      <progress id={id} value={value} max={1} />
      {about && <small role="status">{about}</small>}
    </div>
  )
}
