import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import styles from './layout.module.css'

type Fact = { label: string; value: ReactNode }

type FactsProps = {
  /** The name of the resource. */
  name: string
  /** The most important facts, which are always in sight. */
  line: readonly Fact[]
  /** The other facts. */
  rest: readonly Fact[]
}

/** The facts about a resource: one line above its lists, which unfolds. */
export function Facts({ name, line, rest }: FactsProps) {
  const about = useTranslations('labels')('factsAbout', { name })
  return (
    <details className={styles.facts}>
      <summary>
        {line.map(({ label, value }) => (
          <span key={label}>
            <b>{label}</b> {value}
          </span>
        ))}
      </summary>
      <KeyValuePairs columns={4} ariaLabel={about} items={[...line, ...rest]} />
    </details>
  )
}
