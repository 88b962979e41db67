import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { fullnessOf, nearlyFull, percentOf } from '#components/cloud/nat/nat-use'
import { Bars } from '#components/kit/bars'
import type { NatUseDocument } from '#lib/cloud/nat/networks.schema'

const states = { free: 'usual', nearlyFull: 'warn', full: 'full' } as const

/** For each datacenter, the share of its IPs that is in use. */
export function UseChart({ uses }: { uses: readonly NatUseDocument[] }) {
  const say = useTranslations('home.datacenters')
  const format = useFormatter()
  return (
    <Bars
      label={say('chartLabel')}
      format={(share) => format.number(share, { style: 'percent' })}
      mark={{ share: nearlyFull / 100, text: say('nearlyFull') }}
      bars={uses.map((use) => ({
        id: use.id,
        name: <AppLink to={paths.datacenter(use.id)}>{use.name}</AppLink>,
        share: percentOf(use) / 100,
        text:
          use.assignable === undefined
            ? say('some', { used: use.usedIps })
            : say('ofIps', { used: use.usedIps, ips: use.assignable }),
        state: states[fullnessOf(use)],
      }))}
    />
  )
}
