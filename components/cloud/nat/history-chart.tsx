import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useFormatter, useTranslations } from 'use-intl'
import type { UseDay } from '#lib/cloud/nat/use-history.schema'

type HistoryChartProps = { label: string; days: readonly UseDay[] }

/** The attached IPs of each day as bars, below the line of all IPs. */
export function HistoryChart({ label, days }: HistoryChartProps) {
  const say = useTranslations('nat.useHistory')
  const format = useFormatter()
  const dayOf = (day: string) =>
    format.dateTime(new Date(day), { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const number = (value: number) => format.number(value)
  const most = Math.max(...days.map(({ ips }) => ips), 1)
  return (
    <MixedLineBarChart
      hideFilter
      height={240}
      xScaleType="categorical"
      xDomain={days.map(({ day }) => day)}
      yDomain={[0, most]}
      xTickFormatter={dayOf}
      yTickFormatter={number}
      xTitle={say('day')}
      yTitle={say('count')}
      series={[
        {
          title: say('used'),
          type: 'bar',
          data: days.map(({ day, usedIps }) => ({ x: day, y: usedIps })),
          valueFormatter: number,
        },
        {
          title: say('ips'),
          type: 'line',
          data: days.map(({ day, ips }) => ({ x: day, y: ips })),
          valueFormatter: number,
        },
      ]}
      ariaLabel={label}
      ariaDescription={say('table')}
      i18nStrings={{ detailPopoverDismissAriaLabel: say('dismiss'), xTickFormatter: dayOf }}
    />
  )
}
