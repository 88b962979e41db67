import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import type { NatNetworkDocument } from '#lib/nat/networks.schema'
import styles from './use-bar.module.css'

type Fullness = 'free' | 'nearlyFull' | 'full'

/** From here on somebody should think of the next network. */
const nearlyFull = 90

const fullnessOf = (percent: number): Fullness => {
  if (percent >= 100) return 'full'
  return percent >= nearlyFull ? 'nearlyFull' : 'free'
}

const words: Record<Fullness, string> = { free: '', nearlyFull: ', nearly full', full: ', full' }

/** How many of a network's IPs are in use. */
export function UseBar({ network }: { network: NatNetworkDocument }) {
  const { name, ips, usedIps } = network
  if (ips === 0) return <Box color="text-body-secondary">No IPs yet</Box>
  const percent = Math.floor((usedIps / ips) * 100)
  const fullness = fullnessOf(percent)
  return (
    <div className={styles.use}>
      <span className={styles.words}>
        {usedIps.toLocaleString()} of {ips.toLocaleString()} IPs of {name} are in use{words[fullness]}
      </span>
      <div className={styles.shown} aria-hidden="true">
        <span className={styles.count}>{usedIps.toLocaleString()}</span>
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
  if (fullness === 'free') return <Box color="text-body-secondary">{percent}%</Box>
  return <StatusIndicator type={fullness === 'full' ? 'error' : 'warning'}>{percent}%</StatusIndicator>
}
