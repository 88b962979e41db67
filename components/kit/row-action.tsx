import type { ReactNode } from 'react'
import { useAddress } from './address'
import styles from './table.module.css'

/** The one control of a tool column. */
export const RowButton = ({
  label,
  onPress,
  children,
}: {
  label: string
  onPress: (button: HTMLElement) => void
  children: ReactNode
}) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.dots}
    aria-label={label}
    aria-haspopup="menu"
    onClick={({ currentTarget }) => onPress(currentTarget)}
  >
    {children}
  </button>
)

type RowActionProps = {
  label: string
  icon: ReactNode
  refused?: string | undefined
  href?: string
  hotKey?: string
  onPress?: () => void
}

/** One of several controls of a tool column. Plain, like all that each row has. */
export const RowAction = ({ label, icon, refused, href, hotKey, onPress }: RowActionProps) => {
  const addressOf = useAddress()
  const look = { className: styles.dots, tabIndex: -1, 'aria-label': label, 'data-key': hotKey }
  if (refused !== undefined)
    return (
      <button type="button" {...look} aria-disabled="true" aria-description={refused} title={refused}>
        {icon}
      </button>
    )
  return href === undefined ? (
    <button type="button" {...look} title={label} onClick={onPress}>
      {icon}
    </button>
  ) : (
    <a {...look} href={addressOf(href)} title={label}>
      {icon}
    </a>
  )
}
