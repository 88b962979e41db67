import Link, { type LinkProps } from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

type FollowEvent = { detail: { href?: string; external?: boolean }; preventDefault: () => void }

/** `onFollow` of any Cloudscape component with an href: goes there without loading the page anew. */
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
