import Badge from '@cloudscape-design/components/badge'
import { useEffect, useRef } from 'react'
import { paths } from '#components/paths'
import { AppLink } from '#components/screens/app-link'
import type { TableColumn } from '#components/table/table-columns'
import { linkOf } from '#lib/http/view'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import type { Say } from '#lib/words/words'
import { Address } from './address'
import styles from './nat.module.css'
import { type OpenIp, placeOf } from './open-ip'
import { rulesOfIp } from './rules-of-ip'
import { StateOfIp } from './state-of-ip'

type Column = TableColumn<NatIpDocument>

type Place = {
  say: Say<'nat.ips'>
  datacenter: number
  /** IPs of several networks stand together. */
  withNetwork: boolean
  /** The address that was gone to. */
  marked: string | undefined
  /** The address of the screen with the details of an IP. */
  pathOf: (ip: OpenIp) => string
}

function Ip({ ip, to, isMarked }: { ip: string; to: string; isMarked: boolean }) {
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isMarked) mark.current?.scrollIntoView({ block: 'center' })
  }, [isMarked])
  const link = (
    <AppLink to={to}>
      <Address>{ip}</Address>
    </AppLink>
  )
  return isMarked ? (
    <mark ref={mark} className={styles.mark}>
      {link}
    </mark>
  ) : (
    link
  )
}

const titleOf = (ip: NatIpDocument, rel: string): string => linkOf(ip, rel)?.title ?? '–'

const networkColumn = ({ say, datacenter }: Place): Column => ({
  id: 'network',
  header: say('network'),
  by: 'network',
  width: 135,
  cell: (ip) => <AppLink to={paths.natNetwork(datacenter, placeOf(ip).network)}>{ip.networkName}</AppLink>,
})

const flagColumn = (say: Say<'nat.ips'>, id: 'available' | 'quarantine'): Column => ({
  id,
  header: say(id),
  by: id,
  width: 145,
  hidden: true,
  cell: (ip) => say(ip[id] ? 'yes' : 'no'),
})

export const ipColumns = (place: Place): Column[] => {
  const { say, datacenter, withNetwork, marked, pathOf } = place
  return [
    {
      id: 'ip',
      header: say('ip'),
      by: 'ip',
      isRowHeader: true,
      width: 145,
      cell: (ip) => <Ip ip={ip.ip} to={pathOf(placeOf(ip))} isMarked={ip.ip === marked} />,
    },
    ...(withNetwork ? [networkColumn(place)] : []),
    { id: 'state', header: say('state'), width: 125, cell: (ip) => <StateOfIp ip={ip} /> },
    flagColumn(say, 'available'),
    flagColumn(say, 'quarantine'),
    {
      id: 'snat',
      header: say('defaultSnat'),
      width: 145,
      cell: ({ defaultSnat }) => (defaultSnat ? <Badge color="blue">{say('isDefault')}</Badge> : '–'),
    },
    {
      id: 'virtualdatacenter',
      header: say('virtualDatacenter'),
      by: 'virtualdatacenter',
      width: 195,
      cell: (ip) => titleOf(ip, 'virtualdatacenter'),
    },
    {
      id: 'enterprise',
      header: say('enterprise'),
      by: 'enterprise',
      width: 140,
      cell: (ip) => titleOf(ip, 'enterprise'),
    },
    {
      id: 'version',
      header: say('version'),
      width: 110,
      minWidth: 80,
      hidden: true,
      cell: ({ ipv6 }) => (ipv6 ? 'IPv6' : 'IPv4'),
    },
    { id: 'id', header: say('id'), width: 100, minWidth: 80, hidden: true, cell: ({ id }) => id },
    {
      id: 'rules',
      header: say('rules'),
      width: 80,
      minWidth: 80,
      cell: (ip) => (
        <AppLink to={rulesOfIp(datacenter, placeOf(ip))} ariaLabel={say('rulesOf', { ip: ip.ip })}>
          {say('rules')}
        </AppLink>
      ),
    },
  ]
}
