import { useTranslations } from 'use-intl'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { Address } from './cells'
import styles from './nat.module.css'
import { endText, type RuleEnd, ruleEnds } from './rule-ends'

function End({ end, unknown }: { end: RuleEnd; unknown: string }) {
  const say = useTranslations('nat.rules')
  return (
    <span
      className={`${styles.end} ${end.isNatIp ? styles.natEnd : ''}`}
      title={say(end.isNatIp ? 'natIp' : 'privateIp')}
    >
      <Address>{end.address === undefined ? unknown : endText(end)}</Address>
    </span>
  )
}

/** Two IPv4 addresses with ports stand in one line, two IPv6 addresses need not. */
const LETTERS_IN_LINE = 44

type EndsProps = {
  original: RuleEnd
  translated: RuleEnd
  /** Shown in place of a hidden address. */
  unknown: string
}

export function Ends({ original, translated, unknown }: EndsProps) {
  const say = useTranslations('nat.rules')
  const letters = endText(original).length + endText(translated).length
  return (
    <span className={`${styles.translation} ${letters <= LETTERS_IN_LINE ? styles.oneLine : ''}`}>
      <End end={original} unknown={unknown} />
      <span role="img" aria-label={say('becomes')}>
        →
      </span>
      <End end={translated} unknown={unknown} />
    </span>
  )
}

/** The private address is hidden from users who cannot see the machine. */
export function Translation({ rule }: { rule: NatRuleDocument }) {
  const say = useTranslations('nat.rules')
  return <Ends {...ruleEnds(rule)} unknown={say('hidden')} />
}

/** The networks that a rule is for, as many as there is room for. */
export function Sources({ rule: { sources = [] }, most = 50 }: { rule: NatRuleDocument; most?: number }) {
  const say = useTranslations('nat.rules')
  if (sources.length === 0) return null
  return (
    <span className={styles.sources}>
      {say('onlyFrom', {
        sources: sources.slice(0, most).join(', '),
        more: Math.max(0, sources.length - most),
      })}
    </span>
  )
}
