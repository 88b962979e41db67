import type { ReactNode } from 'react'
import { Switch as Toggle } from 'react-aria-components/Switch'
import styles from './switch.module.css'

type SwitchProps = {
  on: boolean
  /** What it changes, below its name. */
  about?: ReactNode
  /** Why it cannot be changed now, in place of `about`. */
  refused?: string | undefined
  onChange: (on: boolean) => void
  children: ReactNode
}

/** On or off, with effect when the form is saved or at once. */
export const Switch = ({ on, about, refused, onChange, children }: SwitchProps) => {
  const text = refused ?? about
  return (
    <Toggle
      className={styles.switch ?? ''}
      isSelected={on}
      isDisabled={refused !== undefined}
      onChange={onChange}
    >
      <i className={styles.track} aria-hidden="true" />
      <span>{children}</span>
      {text && <small>{text}</small>}
    </Toggle>
  )
}
