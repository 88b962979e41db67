import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { exactTime } from '#components/base/screens/moments'
import { ScreenLink } from '#components/base/session/screen-link'
import { Button } from '#components/kit/button'
import { Stack } from '#components/kit/layout'
import { Mark } from '#components/table/cells'
import type { NatIpHolding } from '#lib/cloud/nat/holdings.schema'
import { addressHistoryQuery, allAddressHistoryQuery } from '#lib/cloud/nat/ips.queries'
import { linkOf } from '#lib/ground/http/view'
import styles from './address-history.module.css'

/** The holdings that are shown at first, and that each press adds. */
const STEP = 10

type AddressHistoryProps = {
  /** If absent, in all visible datacenters. */
  datacenter?: number
  ip: string
}

/** The present and former holders of an address, newest first. */
export function AddressHistory({ datacenter, ip }: AddressHistoryProps) {
  const say = useTranslations('nat.history')
  const [limit, setLimit] = useState(STEP)
  const read = useQuery({
    ...(datacenter === undefined
      ? allAddressHistoryQuery({ ip, limit })
      : addressHistoryQuery(datacenter, { ip, limit })),
    placeholderData: keepPreviousData,
  })
  if (!read.data) return <Waiting read={read} />
  const { collection, totalSize } = read.data
  if (totalSize === 0) return <div className="quiet">{say('none', { ip })}</div>
  return (
    <Stack gap="s">
      <ol className={styles.holdings} aria-label={say('title', { ip })}>
        {collection.map((holding) => (
          <li key={`${holding.from} ${linkOf(holding, 'virtualdatacenter')?.href} ${holding.to}`}>
            <Holding holding={holding} withPlace={datacenter === undefined} />
          </li>
        ))}
      </ol>
      {collection.length < totalSize && (
        <Button
          busy={read.isPlaceholderData}
          busyText={say('loading')}
          onPress={() => setLimit(limit + STEP)}
        >
          {say('older', { count: totalSize - collection.length })}
        </Button>
      )}
    </Stack>
  )
}

/** `withPlace`: also the datacenter. */
export function Holding({ holding, withPlace }: { holding: NatIpHolding; withPlace: boolean }) {
  const say = useTranslations('nat.history')
  const { networkName, to, user } = holding
  return (
    <>
      <div className={styles.holder}>
        <strong>
          <ScreenLink link={linkOf(holding, 'virtualdatacenter')} />
        </strong>
        <span>
          <ScreenLink link={linkOf(holding, 'enterprise')} />
        </span>
        {to === undefined && <Mark kind="held">{say('now')}</Mark>}
      </div>
      <div className="quiet">
        {[
          <Period key="period" holding={holding} />,
          user !== undefined && say('by', { user }),
          say('network', { network: networkName }),
          withPlace && <ScreenLink key="place" link={linkOf(holding, 'datacenter')} />,
        ]
          .filter(Boolean)
          .flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}
      </div>
    </>
  )
}

function Period({ holding: { from, fromEarlier = false, to } }: { holding: NatIpHolding }) {
  const say = useTranslations('nat.history')
  const format = useFormatter()
  const start = exactTime(format, from)
  if (to === undefined) return say(fromEarlier ? 'sinceBefore' : 'since', { from: start })
  return say(fromEarlier ? 'untilFromBefore' : 'until', { from: start, to: exactTime(format, to) })
}
