import { useQuery } from '@tanstack/react-query'

import { useFormatter, useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { deferred } from '#components/kit/deferred'
import { Disclosure } from '#components/kit/disclosure'
import { Stack } from '#components/kit/layout'
import { SimpleTable } from '#components/kit/simple-table'
import { useHistoryQuery } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import type { UseDay } from '#lib/cloud/nat/use-history.schema'
import { Count } from './cells'
import { useWithOthers } from './use-bar'

const HistoryChart = deferred(async () => (await import('./history-chart')).HistoryChart)

type UseHistoryProps = { datacenter: number; network: NatNetworkDocument }

/** How many IPs of a network were attached on each of the last days: a sentence, a chart and a table. */
export function UseHistory({ datacenter, network }: UseHistoryProps) {
  const say = useTranslations('nat.useHistory')
  const read = useQuery(useHistoryQuery(datacenter, network.id))
  if (!read.data) return <Waiting read={read} boxed />
  const { days } = read.data
  if (days.length === 0) return <div className="quiet">{say('none')}</div>
  return (
    <Stack>
      <Summary days={days} />
      <HistoryChart
        waiting={<Waiting read={read} />}
        label={say('label', { name: network.name })}
        days={days}
      />
      <Disclosure title={say('table')}>
        <DaysTable label={say('label', { name: network.name })} days={days} />
      </Disclosure>
    </Stack>
  )
}

type Days = { days: readonly UseDay[] }

/** The chart in one sentence. */
function Summary({ days }: Days) {
  const say = useTranslations('nat.useHistory')
  const format = useFormatter()
  const [first, last] = [days[0], days.at(-1)]
  const others = useWithOthers()
  if (!first || !last) return null
  const change = last.usedIps - first.usedIps
  const since = format.dateTime(new Date(first.day), { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <div>
      {others}{' '}
      {say(change < 0 ? 'fewer' : 'summary', {
        used: last.usedIps,
        ips: last.ips,
        isKnown: String(last.assignable !== undefined),
        assignable: last.assignable ?? 0,
        change: Math.abs(change),
        since,
      })}
    </div>
  )
}

function DaysTable({ label, days }: Days & { label: string }) {
  const say = useTranslations('nat.useHistory')
  const format = useFormatter()
  const count = (
    id: 'used' | 'available' | 'ips' | 'assignable',
    of: (day: UseDay) => number | undefined,
  ) => ({
    id,
    header: say(id),
    isNumber: true,
    cell: (day: UseDay) => {
      const shown = of(day)
      return shown !== undefined && <Count of={shown} />
    },
  })
  return (
    <SimpleTable
      label={label}
      rows={days.toReversed()}
      keyOf={({ day }) => day}
      columns={[
        {
          id: 'day',
          header: say('day'),
          isRowHeader: true,
          cell: ({ day }) => format.dateTime(new Date(day), { dateStyle: 'medium', timeZone: 'UTC' }),
        },
        count('used', ({ usedIps }) => usedIps),
        count('available', ({ availableIps }) => availableIps),
        count('ips', ({ ips }) => ips),
        count('assignable', ({ assignable }) => assignable),
      ]}
    />
  )
}
