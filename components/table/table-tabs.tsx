import Tabs from '@cloudscape-design/components/tabs'
import { type ReactNode, useContext, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useNeeds } from '#components/base/forms/reasons'
import { Why } from '#components/base/forms/why'
import { useSearchChange, useSearchPath } from '#components/base/screens/use-search-change'
import { TablePlaceContext } from '#components/frame/layout/page'
import type { Privilege } from '#lib/caller/auth/privileges'
import type { LabelId } from '#lib/words/words'
import styles from './table.module.css'
import { useIsNarrow } from './table-width'

/** Without a label, the tab shows the label with its id. */
type TabName = { id: string; label: string } | { id: LabelId; label?: undefined }

type Tab = TabName & {
  content: ReactNode
  /** The privilege that the user lacks: the tab is disabled. */
  missing?: Privilege | false
}

/** Within a tab, the prefix of a table's parameters in the URL. */
export const useTabPrefix = (prefix: string): string | undefined =>
  useContext(TablePlaceContext).at === 'tab' ? prefix : undefined

/** Tabs in the URL. Changing the tab keeps the parameters of the tables. */
export function TableTabs({ label, tabs }: { label: string; tabs: readonly [Tab, ...Tab[]] }) {
  const [search] = useSearchParams()
  const sayLabel = useTranslations('labels')
  const needs = useNeeds()
  const pathWith = useSearchPath()
  const change = useSearchChange()
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const enabled = tabs.filter(({ missing }) => !missing)
  const missing = tabs.flatMap(({ missing }) => missing || [])
  const isNarrow = useIsNarrow()
  const open = enabled.find(({ id }) => id === search.get('tab')) ?? enabled[0] ?? tabs[0]
  return (
    <Tabs
      ariaLabel={label}
      disableContentPaddings
      actions={
        <>
          {missing.length > 0 && <Why needs={missing} />}
          {!isNarrow && <div ref={setActions} />}
        </>
      }
      activeTabId={open.id}
      tabs={tabs.map((tab) => ({
        id: tab.id,
        label: tab.label ?? sayLabel(tab.id),
        href: pathWith({ tab: tab.id }),
        ...(tab.missing
          ? { disabled: true, disabledReason: needs(tab.missing) }
          : {
              content: (
                <TablePlaceContext value={{ at: 'tab', actions }}>
                  <div className={styles.tabContent}>{tab.content}</div>
                </TablePlaceContext>
              ),
            }),
      }))}
      onChange={({ detail }) => change({ tab: detail.activeTabId })}
    />
  )
}
