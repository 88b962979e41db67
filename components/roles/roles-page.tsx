import { useTranslations } from 'use-intl'
import { Page } from '#components/layout/page'
import { TableTabs } from '#components/table/table-tabs'
import { CompareRoles } from './compare-roles'
import { RolesTable } from './roles-table'

export function Component() {
  const say = useTranslations('roles.list')
  return (
    <Page title={say('title')} description={say('about')}>
      <TableTabs
        label={say('tabs')}
        tabs={[
          { id: 'list', label: say('all'), content: <RolesTable /> },
          { id: 'compare', label: say('compare'), content: <CompareRoles /> },
        ]}
      />
    </Page>
  )
}
