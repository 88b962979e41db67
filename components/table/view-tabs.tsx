import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useAddress } from '#components/kit/address'
import { deferredOver } from '#components/kit/deferred-over'
import { screenIcons } from '#components/kit/screen-icons'
import { Tool } from '#components/kit/tool'
import styles from './table.module.css'
import { useSavedViews } from './table-views'
import type { TableState } from './use-table-state'

const dialogs = () => import('./view-dialogs')
const SaveView = deferredOver(async () => (await dialogs()).SaveView)
const ManageViews = deferredOver(async () => (await dialogs()).ManageViews)

/** The default list and the user's views of this table, each as a link. Without views there is nothing to choose from. */
export function ViewTabs({ title, table }: { title: string; table: TableState<string> }) {
  const say = useTranslations('layout.views')
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [views, keep] = useSavedViews(table.name)
  const shown = views.filter(({ path }) => path === undefined || path === pathname)
  return (
    <>
      {views.length > 0 && (
        <nav aria-label={say('mine')} className={styles.tabs}>
          {[{ name: say('all'), view: '' }, ...shown].map(({ name, view }) => (
            <ViewTab
              key={`${name} ${view}`}
              name={name}
              to={`${pathname}${table.searchOfView(view)}`}
              isOpen={table.isCurrent(view)}
            />
          ))}
        </nav>
      )}
      {views.length > 0 && (
        <span className={styles.manage}>
          <Tool look="quiet" icon={screenIcons.edit} label={say('manage')} onPress={() => setOpen(true)} />
        </span>
      )}
      {isOpen && <ManageViews title={title} views={views} onChange={keep} onClose={() => setOpen(false)} />}
    </>
  )
}

function ViewTab({ name, to, isOpen }: { name: string; to: string; isOpen: boolean }) {
  const tab = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOpen) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isOpen])
  return (
    <a ref={tab} href={useAddress()(to)} aria-current={isOpen ? 'page' : undefined}>
      {name}
    </a>
  )
}

/** Saves what the list shows, where that is neither the default list nor a saved view. It keeps its place. */
export function SaveViewButton({ table }: { table: TableState<string> }) {
  const say = useTranslations('layout.views')
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [views, keep] = useSavedViews(table.name)
  const isKnown = ['', ...views.map(({ view }) => view)].some((view) => table.isCurrent(view))
  return (
    <>
      <span className={isKnown ? styles.nothingToSave : undefined}>
        <Tool look="quiet" icon={screenIcons.views} label={say('save')} onPress={() => setOpen(true)} />
      </span>
      {isOpen && (
        <SaveView
          views={views}
          view={{ view: table.currentView.text, ...(table.currentView.isLocal && { path: pathname }) }}
          onSave={keep}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
