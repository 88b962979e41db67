import { useTranslations } from 'use-intl'
import { foundToken, type Token } from '#components/table/table-tokens'
import type { CheckPlace } from '#lib/cloud/nat/check.queries'
import { natFindingCodes, natSeverities } from '#lib/cloud/nat/check.schema'
import { natNetworkQuery, natNetworksQuery } from '#lib/cloud/nat/networks.queries'

/** The filters of the list of findings. */
export function useFindingTokens({ datacenter, network }: CheckPlace): Token[] {
  const say = useTranslations('natCheck')
  const label = useTranslations('labels')
  const networks = foundToken(
    { key: 'network', label: label('network') },
    {
      list: (has) => natNetworksQuery(datacenter, { by: 'name', has: has || undefined, limit: 20 }),
      one: (id) => natNetworkQuery(datacenter, id),
    },
  )
  return [
    {
      key: 'severity',
      label: say('columns.severity'),
      values: natSeverities.map((value) => ({ value, label: say(`severities.${value}`) })),
    },
    {
      key: 'code',
      label: say('columns.what'),
      values: natFindingCodes.map((value) => ({ value, label: say(`codes.${value}.title`) })),
    },
    ...(network === undefined ? [networks] : []),
  ]
}
