import { useTranslations } from 'use-intl'
import { useDatacenter } from '#components/datacenters/use-datacenter'
import { useIds } from '#components/datacenters/use-ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { RulesTable } from './rules-table'

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
