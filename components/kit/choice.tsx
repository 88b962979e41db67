import { type ReactNode, useId } from 'react'
import styles from './choice.module.css'

export type ChoiceProps = {
  isChosen: boolean
  /** What it means, below its name. */
  about?: ReactNode
  /** Why it cannot be changed now, in place of `about`. */
  refused?: string | undefined
  /** It cannot be changed now, and all around it says why. */
  disabled?: boolean
  onChange: (isChosen: boolean) => void
  children: ReactNode
}

type Kind = {
  type: 'checkbox' | 'radio'
  role?: 'switch'
  /** Of radio buttons: their group. */
  name?: string
  look?: 'line' | 'tile'
}

/** A box, a dot or a switch with its name. The whole line is pressed. */
export function Choice({
  isChosen,
  about,
  refused,
  onChange,
  children,
  look,
  disabled,
  ...kind
}: ChoiceProps & Kind) {
  const id = useId()
  const text = refused ?? about
  return (
    <label className={`${styles.choice} ${look === 'tile' ? styles.tile : ''}`}>
      <input
        {...kind}
        className={styles[kind.role ?? kind.type]}
        checked={isChosen}
        disabled={disabled || refused !== undefined}
        aria-labelledby={`${id}name`}
        aria-describedby={text ? `${id}about` : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span id={`${id}name`}>{children}</span>
      {text && <small id={`${id}about`}>{text}</small>}
    </label>
  )
}
