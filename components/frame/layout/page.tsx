import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { AppLink, useFollow } from '#components/base/screens/app-link'
import { helpFor } from '#components/base/screens/help-topics'
import { paths } from '#components/base/screens/paths'
import { WhoButton } from '#components/frame/access/who-button'
import { AsOfButton } from '#components/frame/as-of/as-of-button'
import { ScreenCalls } from '#components/frame/calls/screen-calls'
import styles from './layout.module.css'
import { useTitle } from './title'

/** The element of the layout that shows the breadcrumbs of the open screen. */
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
export type TablePlace =
  | { at: 'page'; heading: HeadingProps }
  | { at: 'tab'; actions: HTMLElement | null }
  | { at: 'card' }

export const TablePlaceContext = createContext<TablePlace>({ at: 'card' })

/** A screen: title, breadcrumbs, heading and actions. */
export function Page({ breadcrumbs = [], maxContentWidth, isList = false, children, ...heading }: PageProps) {
  const { title } = heading
  const { pathname } = useLocation()
  useTitle(title)
  return (
    <>
      <Breadcrumbs
        items={pathname === paths.home() ? [] : [...breadcrumbs, { text: title, href: pathname }]}
      />
      {isList ? (
        <TablePlaceContext value={{ at: 'page', heading }}>{children}</TablePlaceContext>
      ) : (
        <ContentLayout {...(maxContentWidth && { maxContentWidth })} header={<PageHeading {...heading} />}>
          {children}
        </ContentLayout>
      )}
    </>
  )
}

/** The first heading of a screen. `info` stands behind it. */
export function PageHeading({
  title,
  heading = title,
  info,
  ...header
}: HeadingProps & { info?: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <Header
      variant="h1"
      {...header}
      info={
        <>
          <HelpLink title={title} /> <AsOfButton /> <WhoButton title={title} /> {info}
        </>
      }
    >
      <Heading key={pathname}>{heading}</Heading>
    </Header>
  )
}

/** Leads to the document that explains the screen. */
function HelpLink({ title }: { title: string }) {
  const { pathname } = useLocation()
  const say = useTranslations('layout.help')
  const document = helpFor(pathname)
  if (!document) return null
  return (
    <AppLink to={paths.help(document)} label={say('aboutScreen', { title })}>
      {say('title')}
    </AppLink>
  )
}

function Breadcrumbs({ items }: { items: Crumb[] }) {
  const slot = useContext(BreadcrumbSlot)
  const follow = useFollow()
  const say = useTranslations('layout.navigation')
  if (!slot) return null
  const all = [{ text: say('home'), href: paths.home() }, ...items]
  return createPortal(
    <div className={styles.trail}>
      <BreadcrumbGroup ariaLabel={say('breadcrumbs')} items={all} onFollow={follow} />
      <ScreenCalls />
    </div>,
    slot,
  )
}

/** Takes the focus when another screen opens, so that screen readers announce it. */
function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLSpanElement>(null)
  const { key } = useLocation()
  const opened = useRef(key)
  useEffect(() => {
    // The router gives the key 'default' to the address that the browser itself opened.
    if (opened.current !== 'default') heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <span ref={heading} tabIndex={-1} className={styles.heading}>
      {children}
    </span>
  )
}
