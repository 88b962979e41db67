import type { ReactNode } from 'react'
import styles from './showcase.module.css'

type SampleProps = {
  title: string
  /** `line`: the parts stand beside each other. `stack`: below each other. `grid`: in columns. */
  as?: 'line' | 'stack' | 'grid'
  children: ReactNode
}

/** One part in its states, under its name. */
export const Sample = ({ title, as = 'line', children }: SampleProps) => (
  <div className={styles.sample}>
    <h3>{title}</h3>
    <div className={styles[as]}>{children}</div>
  </div>
)

/** One state with its name below. */
export const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.named}>
    {children}
    <small>{name}</small>
  </div>
)
