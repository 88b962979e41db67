import { useFormatter, useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { Status } from '#components/kit/status'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { addableOf, type Fullness, fullnessOf, percentOf } from './nat-use'
import styles from './use-bar.module.css'

export function UseBar({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('nat.use')
  const format = useFormatter()
  const { ips, usedIps } = network
  if (ips === 0) return <div className="quiet">{say('none')}</div>
  const percent = percentOf(network)
  const fullness = fullnessOf(network)
  return (
    <div className={styles.use}>
      <span className={styles.words}>
        <UseText network={network} />
      </span>
      <div className={styles.shown} aria-hidden="true">
        <span className={styles.count}>{format.number(usedIps)}</span>
        <div className={styles.track}>
          <div className={`${styles.fill} ${styles[fullness]}`} style={{ inlineSize: `${percent}%` }} />
        </div>
        <div className={styles.percent}>
          <Percent percent={percent} fullness={fullness} />
        </div>
      </div>
    </div>
  )
}

/** For callers who do not see all holders: the numbers of used IPs count those of others. */
export function useWithOthers(): string | undefined {
  const say = useTranslations('nat.use')
  return useSession().scope.allEnterprises ? undefined : say('withOthers')
}

/** For example: 1 in use, 1 added, 13 more can be added. */
export function UseText({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('nat.use')
  const { ips, usedIps: used } = network
  const more = addableOf(network)
  const fullness = fullnessOf(network)
  const counts = more === undefined ? say('many', { used, ips }) : say('counts', { used, ips, more })
  const text = fullness === 'free' ? counts : say(fullness, { counts })
  return [text, useWithOthers()].filter(Boolean).join('. ')
}

function Percent({ percent, fullness }: { percent: number; fullness: Fullness }) {
  const text = useFormatter().number(percent / 100, { style: 'percent' })
  if (fullness === 'free') return <div className="quiet">{text}</div>
  return <Status kind={fullness === 'full' ? 'bad' : 'warn'}>{text}</Status>
}
