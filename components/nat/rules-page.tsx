import { useTranslations } from 'use-intl'
import { useIds } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { listLoader } from '#components/table/list-loader'
import { natRulesQuery } from '#lib/nat/rules.queries'
import { RulesTable, ruleListSpec } from './rules-table'
import { prefetchDatacenter, useDatacenter } from './use-datacenter'

export const loader = listLoader(ruleListSpec(false), (client, { query }, { datacenter }) =>
  Promise.all([
    client.prefetchQuery(natRulesQuery(Number(datacenter), undefined, query)),
    prefetchDatacenter(client, Number(datacenter)),
  ]),
)

export function Component() {
  const say = useTranslations('nat')
  const { datacenter } = useIds()
  const { name, crumbs } = useDatacenter(datacenter)
  return (
    <Page
      title={say('rules.title')}
      description={say('rules.about', { datacenter: name })}
      breadcrumbs={[...crumbs, { text: say('networks.title'), href: paths.natNetworks(datacenter) }]}
    >
      <RulesTable key={datacenter} datacenter={datacenter} />
    </Page>
  )
}
