import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { DeviceStatusLine } from '#components/cloud/devices/device-status'
import { Card } from '#components/kit/layout'
import { allDevicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import type { DeviceDocument } from '#lib/cloud/infrastructure/devices.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import styles from './home.module.css'

const MOST = 5

/** Gateways that are silent, drifted or refuse translations. Nothing where all are well. */
export function GatewaysCard() {
  const say = useTranslations('gateways.home')
  const { data } = useQuery(allDevicesQuery({ faulty: true, limit: MOST }))
  if (!data || data.totalSize === 0) return null
  const others = data.totalSize - data.collection.length
  return (
    <Card title={say('title')}>
      <ul className={styles.rows}>
        {data.collection.map((device) => (
          <Faulty key={device.id} device={device} />
        ))}
        {others > 0 && <li className={styles.quiet}>{say('all', { count: others })}</li>}
      </ul>
    </Card>
  )
}

function Faulty({ device }: { device: DeviceDocument }) {
  const location = linkOf(device, 'location')
  return (
    <li className={styles.event}>
      <div className={styles.place}>
        <AppLink to={paths.device(idOfLink(location) ?? 0, device.id)}>{device.name}</AppLink>
        <div className={styles.quiet}>{location?.title}</div>
      </div>
      <DeviceStatusLine status={device.status} />
    </li>
  )
}
