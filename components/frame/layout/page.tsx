import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useIsPast } from '#components/base/screens/as-of'
import { paths } from '#components/base/screens/paths'
import { Breadcrumbs } from '#components/kit/breadcrumbs'
import { Band } from '#components/kit/frame'
import styles from './layout.module.css'
import { ScreenTools } from './screen-tools'
import { useTitle } from './title'

/** The element of the bar that shows the breadcrumbs of the open screen. */
export const BreadcrumbSlot = createContext<HTMLElement | null>(null)

/** A screen above this one. */
export type Crumb = { text: string; href: string }

type PageProps = {
  title: string
  /** The main heading, if it is not the title. */
  heading?: string
  description?: ReactNode
  actions?: ReactNode
  counter?: string
  /** The screens between home and this one, from the outside in. */
  breadcrumbs?: readonly Crumb[]
  /** For forms and texts, so that lines stay readable on wide screens. */
  maxContentWidth?: number
  /** The screen is one list: its table shows the heading, with its own counter and actions. */
  isList?: boolean
  children: ReactNode
}

type HeadingProps = Pick<PageProps, 'title' | 'heading' | 'description' | 'actions' | 'counter'>

/** Where a table stands: below the heading of its screen, or in a tab with its title. Elsewhere it has a title of its own. */
export type TablePlace = { at: 'page'; heading: HeadingProps } | { at: 'tab' } | { at: 'card' }

export const TablePlaceContext = createContext<TablePlace>({ at: 'card' })

/** A screen: title, breadcrumbs, heading and actions. */
export function Page({ breadcrumbs = [], maxContentWidth, isList = false, children, ...heading }: PageProps) {
  const { title } = heading
  const { pathname } = useLocation()
  useTitle(title)
  return (
    <>
      {pathname !== paths.home() && <Place items={[...breadcrumbs, { text: title, href: pathname }]} />}
      {isList ? (
        <TablePlaceContext value={{ at: 'page', heading }}>{children}</TablePlaceContext>
      ) : (
        <>
          <PageHeading {...heading} />
          <div className={styles.content} style={{ maxInlineSize: maxContentWidth }}>
            {children}
          </div>
        </>
      )}
    </>
  )
}

/** The band at the head of a screen: its heading, what can be asked about it, and its actions. */
export function PageHeading({ description, actions, ...heading }: HeadingProps) {
  const { title } = heading
  return (
    <>
      <Band label={title}>
        <PageTitle {...heading} />
        <span className={styles.room} />
        <ScreenTools title={title} />
        {actions && <div className={styles.actions}>{actions}</div>}
      </Band>
      {description && <div className={styles.about}>{description}</div>}
    </>
  )
}

/** The main heading of a screen. */
export function PageTitle({ title, heading = title, counter }: HeadingProps) {
  const { pathname } = useLocation()
  return (
    <Heading key={pathname} counter={counter}>
      {heading}
    </Heading>
  )
}

function Place({ items }: { items: Crumb[] }) {
  const slot = useContext(BreadcrumbSlot)
  const say = useTranslations('layout.navigation')
  return slot && createPortal(<Breadcrumbs label={say('breadcrumbs')} items={items} />, slot)
}

/** Takes the focus when another screen opens, so that screen readers announce it. */
function Heading({ counter, children }: { counter: string | undefined; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, state } = useLocation()
  const isPast = useIsPast()
  // A step to another moment: the time bar keeps the focus.
  const opened = useRef(isPast && state?.asWritten ? 'default' : key)
  useEffect(() => {
    // The router gives the key 'default' to the address that the browser itself opened.
    if (opened.current !== 'default') heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
      {counter && <small className={styles.counter}> {counter}</small>}
    </h1>
  )
}
