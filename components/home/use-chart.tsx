import BarChart from '@cloudscape-design/components/bar-chart'
import { useFormatter, useTranslations } from 'use-intl'
import { nearlyFull, percentOf } from '#components/cloud/nat/nat-use'
import type { NatUseDocument } from '#lib/cloud/nat/networks.schema'

const barHeight = 42
const axisHeight = 20

/** For each datacenter, the share of its IPs that is in use. */
export function UseChart({ uses }: { uses: readonly NatUseDocument[] }) {
  const say = useTranslations('home.datacenters')
  const format = useFormatter()
  const percent = (value: number) => format.number(value / 100, { style: 'percent' })
  const figuresOf = (name: string) => uses.find((use) => use.name === name)
  return (
    <BarChart
      horizontalBars
      hideFilter
      height={uses.length * barHeight + axisHeight}
      xScaleType="categorical"
      xDomain={uses.map(({ name }) => name)}
      yDomain={[0, 100]}
      yTitle={say('share')}
      xTitle={say('datacenter')}
      yTickFormatter={percent}
      series={[
        {
          title: say('used'),
          type: 'bar',
          data: uses.map((use) => ({ x: use.name, y: percentOf(use) })),
          valueFormatter: (_, name) => {
            const figures = figuresOf(name)
            return figures ? say('ofIps', { used: figures.usedIps, ips: figures.ips }) : ''
          },
        },
        {
          title: say('nearlyFull'),
          type: 'threshold',
          y: nearlyFull,
          valueFormatter: percent,
        },
      ]}
      ariaLabel={say('chartLabel')}
      ariaDescription={say('chartHint')}
      i18nStrings={{ detailPopoverDismissAriaLabel: say('dismiss') }}
    />
  )
}
