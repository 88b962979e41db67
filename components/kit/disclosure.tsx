import type { ReactNode } from 'react'
import styles from './disclosure.module.css'
import { screenIcons } from './screen-icons'

type DisclosureProps = {
  title: ReactNode
  counter?: string
  /** Below the title, also while it is closed. */
  about?: ReactNode
  /** `card`: the title is a heading, in a framed part of a page. */
  look?: 'plain' | 'card'
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

/** A part that is read on demand. */
export const Disclosure = ({
  title,
  counter,
  about,
  look = 'plain',
  isOpen,
  onToggle,
  children,
}: DisclosureProps) => (
  <details
    className={`${styles.disclosure} ${styles[look]}`}
    open={isOpen}
    onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
  >
    <summary>
      {screenIcons.after}
      {look === 'card' ? <h2>{title}</h2> : <span>{title}</span>}
      {counter && <b>{counter}</b>}
      {about && <small>{about}</small>}
    </summary>
    <div>{children}</div>
  </details>
)
