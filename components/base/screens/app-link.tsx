import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { LinkButton, type LinkButtonProps } from '#components/kit/button'
import { Tool } from '#components/kit/tool'
import styles from './links.module.css'

/** `onClick` of a link: opens its screen without loading the page again. Other tabs and windows stay the browser's. */
export function useOpenLink(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const navigate = useNavigate()
  return (event) => {
    const { target } = event.currentTarget
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || target === '_blank') return
    event.preventDefault()
    void navigate(event.currentTarget.getAttribute('href') ?? '')
  }
}

type AppLinkProps = { to: string; label?: string; target?: '_blank'; children: ReactNode }

/** A link to another screen. Plain, because a table has a hundred of them. */
export function AppLink({ to, label, target, children }: AppLinkProps) {
  return (
    <a href={to} aria-label={label} target={target} className={styles.link} onClick={useOpenLink()}>
      {children}
    </a>
  )
}

type AppButtonProps = Omit<LinkButtonProps, 'href'> & {
  to: string
  /** Why its screen is closed now. */
  refused?: string | undefined
}

/** A button that leads to another screen. */
export function AppButton({ to, onClick, refused, ref, ...props }: AppButtonProps) {
  const open = useOpenLink()
  if (refused !== undefined) return <Tool {...props} refused={refused} />
  return (
    <LinkButton
      {...props}
      {...(ref && { ref })}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        open(event)
      }}
    />
  )
}
