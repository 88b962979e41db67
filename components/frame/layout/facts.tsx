import { useTranslations } from 'use-intl'
import { Facts as AllFacts, type Fact } from '#components/kit/facts'
import styles from './layout.module.css'

/** The line unfolds by a click, so what it shows has no links: `short` stands there in place of the value. */
type LineFact = Fact & { short?: string | undefined }

type FactsProps = {
  /** The name of the resource. */
  name: string
  /** The most important facts, which are always in sight. */
  line: readonly LineFact[]
  /** The other facts. */
  rest: readonly Fact[]
}

/** The facts about a resource: one line above its lists, which unfolds. */
export function Facts({ name, line, rest }: FactsProps) {
  const about = useTranslations('labels')('factsAbout', { name })
  return (
    <details className={styles.facts}>
      <summary>
        {line.map(({ label, value, short = value }) => (
          <span key={String(label)}>
            <b>{label}</b> {short}
          </span>
        ))}
      </summary>
      <AllFacts columns={4} label={about} items={[...line, ...rest]} />
    </details>
  )
}
