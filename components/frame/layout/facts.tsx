import type { ComponentProps, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Both, usePresentDocument } from '#components/frame/as-of/present'
import { Facts as AllFacts, type Fact } from '#components/kit/facts'
import styles from './layout.module.css'

/** The line unfolds by a click, so what it shows has no links: `short` stands there in place of the value. */
type LineFact = Fact & { short?: ReactNode }

/** The facts about a document. Compared with now, each that differs has both values. */
function useFacts<T extends object>(document: T, factsOf: (document: T) => readonly LineFact[]) {
  const present = usePresentDocument(document)
  return bothFacts(factsOf(document), present && factsOf(present))
}

/** The facts of then beside the same facts of now. */
export const bothFacts = (
  facts: readonly LineFact[],
  now: readonly LineFact[] | undefined,
): readonly LineFact[] =>
  now === undefined
    ? facts
    : facts.map((fact, index) => ({
        ...fact,
        value: <Both then={fact.value} now={now[index]?.value} />,
        ...(fact.short !== undefined && { short: <Both then={fact.short} now={now[index]?.short} /> }),
      }))

type FactsOfProps<T> = Omit<ComponentProps<typeof AllFacts>, 'items'> & {
  of: T
  items: (document: T) => readonly Fact[]
}

/** Names with the values of a document. */
export function FactsOf<T extends object>({ of, items, ...shown }: FactsOfProps<T>) {
  return <AllFacts {...shown} items={useFacts(of, items)} />
}

type FactsProps<T> = {
  of: T
  /** The name of the resource. */
  name: string
  /** The most important facts, which are always in sight. */
  line: (document: T) => readonly LineFact[]
  /** The other facts. */
  rest: (document: T) => readonly Fact[]
}

/** The facts about a resource: one line above its lists, which unfolds. */
export function Facts<T extends object>({ of, name, line, rest }: FactsProps<T>) {
  const about = useTranslations('labels')('factsAbout', { name })
  const inSight = useFacts(of, line)
  const others = useFacts(of, rest)
  return (
    <details className={styles.facts}>
      <summary>
        {inSight.map(({ label, value, short = value }) => (
          <span key={String(label)}>
            <b>{label}</b> {short}
          </span>
        ))}
      </summary>
      <AllFacts columns={4} label={about} items={[...inSight, ...others]} />
    </details>
  )
}
