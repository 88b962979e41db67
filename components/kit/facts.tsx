import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = { label: ReactNode; value: ReactNode }

type FactsProps = {
  items: readonly Fact[]
  /** At most; narrow places have fewer. One column has the names at the left of the values, more have them above. */
  columns?: 1 | 2 | 3 | 4
  label?: string
}

/** Names with their values. */
export const Facts = ({ items, columns = 1, label }: FactsProps) => (
  <dl
    aria-label={label}
    className={columns === 1 ? styles.facts : `${styles.blocks} ${styles[`at${columns}`]}`}
  >
    {items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: facts do not move.
      <div key={index}>
        <dt>{item.label}</dt>
        <dd>{item.value}</dd>
      </div>
    ))}
  </dl>
)
