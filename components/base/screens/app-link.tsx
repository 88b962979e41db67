import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import Link, { type LinkProps } from '@cloudscape-design/components/link'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { useNavigate } from 'react-router'
import styles from './links.module.css'

type FollowEvent = { detail: { href?: string; external?: boolean }; preventDefault: () => void }

/** `onFollow` of any Cloudscape component with an href: follows it without loading the page again. */
export function useFollow(): (event: FollowEvent) => void {
  const navigate = useNavigate()
  return (event) => {
    const { href, external } = event.detail
    if (external || !href?.startsWith('/')) return
    event.preventDefault()
    void navigate(href)
  }
}

type AppLinkProps = Omit<LinkProps, 'href' | 'onFollow' | 'children'> & { to: string; children: ReactNode }

/** A link to another screen. */
export function AppLink({ to, children, ...props }: AppLinkProps) {
  const follow = useFollow()
  return (
    <Link {...props} href={to} onFollow={follow}>
      {children}
    </Link>
  )
}

type AppButtonProps = Omit<ButtonProps, 'href' | 'onFollow'> & { to: string; ref?: Ref<ButtonProps.Ref> }

/** A button that leads to another screen. */
export function AppButton({ to, ...props }: AppButtonProps) {
  const follow = useFollow()
  return <Button {...props} href={to} onFollow={follow} />
}

type CellLinkProps = { to: string; ariaLabel?: string; children: ReactNode }

/** A link in a cell of a table: plain, because a page has a hundred of them. */
export function CellLink({ to, ariaLabel, children }: CellLinkProps) {
  const navigate = useNavigate()
  const follow = (event: MouseEvent) => {
    // The browser opens other tabs and windows.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(to)
  }
  return (
    <a href={to} aria-label={ariaLabel} className={styles.link} onClick={follow}>
      {children}
    </a>
  )
}
