import type { ReactNode } from 'react'
import { useAddress } from '#components/kit/address'
import { LinkButton, type LinkButtonProps } from '#components/kit/button'
import { Tool } from '#components/kit/tool'
import styles from './links.module.css'

type AppLinkProps = { to: string; label?: string; target?: '_blank'; children: ReactNode }

/** A link to another screen, which the frame opens without loading the page. Plain, because a table has a hundred of them. */
export const AppLink = ({ to, label, target, children }: AppLinkProps) => (
  <a href={useAddress()(to)} aria-label={label} target={target} className={styles.link}>
    {children}
  </a>
)

type AppButtonProps = Omit<LinkButtonProps, 'href'> & {
  to: string
  /** Why its screen is closed now. */
  refused?: string | undefined
}

/** A button that leads to another screen. */
export const AppButton = ({ to, refused, ref, ...props }: AppButtonProps) =>
  refused !== undefined ? (
    <Tool {...props} refused={refused} />
  ) : (
    <LinkButton {...props} ref={ref} href={to} />
  )
