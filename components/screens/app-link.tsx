import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import Link, { type LinkProps } from '@cloudscape-design/components/link'
import type { ReactNode, Ref } from 'react'
import { useNavigate } from 'react-router'

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
