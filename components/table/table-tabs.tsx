import Tabs, { type TabsProps } from '@cloudscape-design/components/tabs'
import { useSearchParams } from 'react-router'

type Tab = Pick<TabsProps.Tab, 'label' | 'content' | 'disabled' | 'disabledReason'> & { id: string }

/** Tabs in the URL. Changing the tab keeps the parameters of the tables. */
export function TableTabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const [search, setSearch] = useSearchParams()
  const enabled = tabs.filter(({ disabled }) => !disabled)
  const open = enabled.find(({ id }) => id === search.get('tab')) ?? enabled[0] ?? tabs[0]
  const searchOf = (id: string): URLSearchParams => {
    const changed = new URLSearchParams(search)
    changed.set('tab', id)
    return changed
  }
  return (
    <Tabs
      ariaLabel={label}
      activeTabId={open.id}
      tabs={tabs.map((tab) => ({
        ...tab,
        href: `?${searchOf(tab.id)}`,
      }))}
      onChange={({ detail }) => setSearch(searchOf(detail.activeTabId), { preventScrollReset: true })}
    />
  )
}
