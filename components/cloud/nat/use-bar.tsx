import { useFormatter, useTranslations } from 'use-intl'
import { Status } from '#components/kit/status'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { type Fullness, fullnessOf, percentOf } from './nat-use'
import styles from './use-bar.module.css'

export function UseBar({ network }: { network: NatNetworkDocument }) {
  const say = useTranslations('nat.use')
  const format = useFormatter()
  const { name, ips, usedIps } = network
  if (ips === 0) return <div className="quiet">{say('none')}</div>
  const percent = percentOf(network)
  const fullness = fullnessOf(network)
  return (
    <div className={styles.use}>
      <span className={styles.words}>{say(fullness, { used: usedIps, ips, name })}</span>
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

function Percent({ percent, fullness }: { percent: number; fullness: Fullness }) {
  const text = useFormatter().number(percent / 100, { style: 'percent' })
  if (fullness === 'free') return <div className="quiet">{text}</div>
  return <Status kind={fullness === 'full' ? 'bad' : 'warn'}>{text}</Status>
}
