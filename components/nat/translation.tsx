import Icon from '@cloudscape-design/components/icon'
import { useTranslations } from 'use-intl'
import type { NatRuleDocument } from '#lib/nat/rules.schema'
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

type EndsProps = {
  original: RuleEnd
  translated: RuleEnd
  /** What stands for an address that is not known. */
  unknown: string
}

export function Ends({ original, translated, unknown }: EndsProps) {
  const say = useTranslations('nat.rules')
  return (
    <span className={styles.translation}>
      <End end={original} unknown={unknown} />
      <Icon name="arrow-right" ariaLabel={say('becomes')} />
      <End end={translated} unknown={unknown} />
    </span>
  )
}

/** Which address becomes which; the NAT IP stands out. Who does not see the machine is not told the private address. */
export function Translation({ rule }: { rule: NatRuleDocument }) {
  const say = useTranslations('nat.rules')
  return <Ends {...ruleEnds(rule)} unknown={say('hidden')} />
}
