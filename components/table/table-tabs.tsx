import Tabs, { type TabsProps } from '@cloudscape-design/components/tabs'
import { useSearchParams } from 'react-router'
import { useSearchChange, useSearchPath } from '#components/screens/use-search-change'

type Tab = Pick<TabsProps.Tab, 'label' | 'content' | 'disabled' | 'disabledReason'> & { id: string }

/** Tabs in the URL. Changing the tab keeps the parameters of the tables. */
export function TableTabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const [search] = useSearchParams()
  const pathWith = useSearchPath()
  const change = useSearchChange()
  const enabled = tabs.filter(({ disabled }) => !disabled)
  const open = enabled.find(({ id }) => id === search.get('tab')) ?? enabled[0] ?? tabs[0]
  return (
    <Tabs
      ariaLabel={label}
      activeTabId={open.id}
      tabs={tabs.map((tab) => ({ ...tab, href: pathWith({ tab: tab.id }) }))}
      onChange={({ detail }) => change({ tab: detail.activeTabId })}
    />
  )
}
