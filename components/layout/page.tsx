import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { AppLink, useFollow } from '#components/screens/app-link'
import { helpFor } from '#components/screens/help-topics'
import { paths } from '#components/screens/paths'
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
  children: ReactNode
}

/** A screen: title, breadcrumbs, heading and actions. */
export function Page({
  title,
  heading = title,
  description,
  actions,
  counter,
  breadcrumbs = [],
  maxContentWidth,
  children,
}: PageProps) {
  const { pathname } = useLocation()
  useTitle(title)
  return (
    <>
      <Breadcrumbs
        items={pathname === paths.home() ? [] : [...breadcrumbs, { text: title, href: pathname }]}
      />
      <ContentLayout
        {...(maxContentWidth && { maxContentWidth })}
        header={
          <Header
            variant="h1"
            description={description}
            actions={actions}
            counter={counter}
            info={<HelpLink title={title} />}
          >
            <Heading key={pathname}>{heading}</Heading>
          </Header>
        }
      >
        {children}
      </ContentLayout>
    </>
  )
}

/** Leads to the document that explains the screen. */
function HelpLink({ title }: { title: string }) {
  const { pathname } = useLocation()
  const say = useTranslations('layout.help')
  const document = helpFor(pathname)
  if (!document) return null
  return (
    <AppLink to={paths.help(document)} variant="info" ariaLabel={say('aboutScreen', { title })}>
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
  return createPortal(<BreadcrumbGroup ariaLabel={say('breadcrumbs')} items={all} onFollow={follow} />, slot)
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
