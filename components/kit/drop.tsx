import type { ReactNode } from 'react'
import styles from './drop.module.css'
import { Opening } from './opening'
import { Tool } from './tool'

type DropProps = {
  label: string
  icon: ReactNode
  children: (close: () => void) => ReactNode
}

/** A button with a small form of its own: it opens at its first field, and Escape returns to the button. */
export const Drop = ({ label, icon, children }: DropProps) => (
  <Opening
    label={label}
    className={`kit ${styles.drop}`}
    button={<Tool look="quiet" icon={icon} label={label} />}
  >
    {children}
  </Opening>
)
