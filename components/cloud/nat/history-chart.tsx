import { useFormatter, useTranslations } from 'use-intl'
import { TimeChart } from '#components/kit/time-chart'
import type { UseDay } from '#lib/cloud/nat/use-history.schema'

type HistoryChartProps = { label: string; days: readonly UseDay[] }

/** The attached IPs of each day as bars, below the line of all IPs. */
export function HistoryChart({ label, days }: HistoryChartProps) {
  const say = useTranslations('nat.useHistory')
  const format = useFormatter()
  return (
    <TimeChart
      label={label}
      about={say('table')}
      words={{ part: say('used'), whole: say('ips') }}
      format={(value) => format.number(value)}
      points={days.map(({ day, usedIps, ips }) => ({
        id: day,
        label: format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' }),
        part: usedIps,
        whole: ips,
      }))}
    />
  )
}
