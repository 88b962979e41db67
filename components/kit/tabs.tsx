import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId } from 'react'
import styles from './tabs.module.css'
import { tipOf } from './tip'

export type Tab = {
  id: string
  text: ReactNode
  href: string
  /** Why it cannot be opened. It keeps its place, and the arrow keys still reach it. */
  refused?: string | undefined
}

type TabsProps = {
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (id: string) => void
  /** At the end of the line of tabs. */
  actions?: ReactNode
  /** The content of the open tab. */
  children: ReactNode
}

/** Parts of a page, of which one shows. An arrow key opens its neighbour. */
export function Tabs({ label, tabs, value, onChange, actions, children }: TabsProps) {
  const id = useId()
  const elementOf = (tab: string) => document.getElementById(`${id}-${tab}`)
  useEffect(() => {
    const tab = document.getElementById(`${id}-${value}`)
    const list = tab?.parentElement
    if (!tab || !list) return
    // `scrollIntoView` would move the page too, past what stands above.
    const [from, to] = [tab.offsetLeft, tab.offsetLeft + tab.offsetWidth]
    if (from < list.scrollLeft) list.scrollLeft = from
    else if (to > list.scrollLeft + list.clientWidth) list.scrollLeft = to - list.clientWidth
  }, [id, value])
  const open = (tab: Tab) => {
    if (tab.refused === undefined && tab.id !== value) onChange(tab.id)
  }
  const click = (event: MouseEvent) => {
    // The browser opens other tabs and windows.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const tab = tabs.find((one) => elementOf(one.id)?.contains(event.target as Node))
    if (!tab) return
    event.preventDefault()
    open(tab)
  }
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => elementOf(tab.id) === document.activeElement)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    const next = step === undefined || at < 0 ? undefined : tabs.at(step % tabs.length)
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    elementOf(next.id)?.focus()
    open(next)
  }
  return (
    <div className={styles.tabs}>
      <div className={styles.line}>
        <div
          role="tablist"
          aria-label={label}
          tabIndex={-1}
          className={styles.list}
          onClick={click}
          onKeyDown={move}
        >
          {tabs.map((tab) => (
            <OneTab
              key={tab.id}
              {...tab}
              id={`${id}-${tab.id}`}
              panel={`${id}-panel`}
              isOpen={tab.id === value}
            />
          ))}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}

function OneTab({ id, text, href, refused, panel, isOpen }: Tab & { panel: string; isOpen: boolean }) {
  const tab = { id, role: 'tab', className: styles.tab, tabIndex: isOpen ? 0 : -1, 'aria-selected': isOpen }
  if (refused === undefined)
    return (
      <a {...tab} href={href} aria-controls={isOpen ? panel : undefined}>
        {text}
      </a>
    )
  return (
    <>
      <span {...tab} {...tipOf(refused)} aria-disabled="true" aria-describedby={`${id}-reason`}>
        {text}
      </span>
      <span id={`${id}-reason`} hidden>
        {refused}
      </span>
    </>
  )
}
