import { type ReactNode, useContext } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { Why } from '#components/base/forms/why'
import { useIsPast } from '#components/base/screens/as-of'
import { useSearchChange, useSearchPath } from '#components/base/screens/use-search-change'
import { TablePlaceContext } from '#components/frame/layout/page'
import { Notice } from '#components/kit/notice'
import { Tabs } from '#components/kit/tabs'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { LabelId } from '#lib/words/words'

/** Without a label, the tab shows the label with its id. */
type TabName = { id: string; label: string } | { id: LabelId; label?: undefined }

type Tab = TabName & {
  content: ReactNode
  /** The privilege that the user lacks: the tab is disabled. */
  missing?: Privilege | false
  /** Shows only what is now: in the past a sentence takes its place. */
  isNow?: boolean
}

/** Within a tab, the prefix of a table's parameters in the URL. */
export const useTabPrefix = (prefix: string): string | undefined =>
  useContext(TablePlaceContext).at === 'tab' ? prefix : undefined

/** Tabs in the URL. Changing the tab keeps the parameters of the tables. */
export function TableTabs({ label, tabs: given }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const [search] = useSearchParams()
  const sayLabel = useTranslations('labels')
  const sayPast = useTranslations('layout.asOf')
  const needs = useNeeds()
  const isPast = useIsPast()
  const nameOf = (tab: Tab) => tab.label ?? sayLabel(tab.id)
  const tabOf = (tab: Tab): Tab =>
    isPast && tab.isNow
      ? { ...tab, missing: false, content: <Notice>{sayPast('noPastOf', { name: nameOf(tab) })}</Notice> }
      : tab
  const [first, ...others] = given
  const tabs = [tabOf(first), ...others.map(tabOf)] as const
  const pathWith = useSearchPath()
  const change = useSearchChange()
  const enabled = tabs.filter(({ missing }) => !missing)
  const missing = tabs.flatMap(({ missing }) => missing || [])
  const open = enabled.find(({ id }) => id === search.get('tab')) ?? enabled[0] ?? tabs[0]
  return (
    <div className="kit">
      <Tabs
        label={label}
        value={open.id}
        onChange={(tab) => change({ tab })}
        actions={missing.length > 0 && <Why needs={missing} />}
        tabs={tabs.map((tab) => ({
          id: tab.id,
          text: nameOf(tab),
          href: pathWith({ tab: tab.id }),
          refused: tab.missing ? needs(tab.missing) : undefined,
        }))}
      >
        {!open.missing && (
          <TablePlaceContext key={open.id} value={{ at: 'tab' }}>
            {open.content}
          </TablePlaceContext>
        )}
      </Tabs>
    </div>
  )
}
