import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import styles from './field.module.css'
import { icons } from './icons'

export type TextFieldProps = {
  label: string
  onChange: (value: string) => void
  /** Below the field. The fault stands before it. */
  hint?: ReactNode
  error?: ReactNode
  large?: boolean
  /** For a code: its digits stand apart, each as wide as another. */
  digits?: boolean
  /** At the end of the label's line; Tab reaches it after the field. */
  beside?: ReactNode
  /** Inside the field, after its text. */
  end?: ReactNode
} & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'name'
  | 'type'
  | 'value'
  | 'readOnly'
  | 'autoComplete'
  | 'autoCapitalize'
  | 'autoCorrect'
  | 'inputMode'
  | 'spellCheck'
>

export function TextField({
  label,
  onChange,
  hint,
  error,
  large,
  digits,
  beside,
  end,
  ...input
}: TextFieldProps) {
  const id = useId()
  const looks = [styles.field, large && styles.large, digits && styles.digits, error && styles.wrong]
  const about = [error && `${id}error`, hint && `${id}hint`].filter(Boolean).join(' ')
  return (
    <div className={looks.filter(Boolean).join(' ')}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <input
          {...input}
          id={id}
          className={styles.input}
          onChange={({ target }) => onChange(target.value)}
          {...(error && { 'aria-invalid': true })}
          {...(about && { 'aria-describedby': about })}
        />
        {end}
      </div>
      {beside && <div className={styles.beside}>{beside}</div>}
      {error && (
        <p id={`${id}error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** `show`: the name of the eye, which shows the letters. */
export function PasswordField({ show, ...props }: Omit<TextFieldProps, 'type' | 'end'> & { show: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <button
          type="button"
          className={styles.eye}
          aria-label={show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? icons.eyeOff : icons.eye}
        </button>
      }
    />
  )
}
