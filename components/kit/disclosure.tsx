import { type ReactNode, useId, useState } from 'react'
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

/** A part that is read on demand. Its title is a button, which screen readers know better than a summary. */
export function Disclosure({
  title,
  counter,
  about,
  look = 'plain',
  isOpen,
  onToggle,
  children,
}: DisclosureProps) {
  const id = useId()
  const [isOwnOpen, setOwnOpen] = useState(false)
  const isShown = isOpen ?? isOwnOpen
  const Title = look === 'card' ? 'h2' : 'div'
  return (
    <div className={`${styles.disclosure} ${styles[look]}`}>
      <Title>
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => {
            setOwnOpen(!isShown)
            onToggle?.(!isShown)
          }}
        >
          {screenIcons.after}
          <span>{title}</span>
          {counter && <b>{counter}</b>}
        </button>
      </Title>
      {about && <small>{about}</small>}
      <div id={id} hidden={!isShown}>
        {children}
      </div>
    </div>
  )
}
