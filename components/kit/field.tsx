import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'
import styles from './field.module.css'
import { icons } from './icons'

type FieldProps = {
  label: ReactNode
  /** Below the field. The fault stands before it. */
  hint?: ReactNode
  error?: ReactNode
  /** At the end of the label's line; Tab reaches it after the field. */
  beside?: ReactNode
}

/** What ties a control to its label and to the texts below it. */
type FieldTies = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type AnyFieldProps = FieldProps & {
  /** Of several controls: the label names them together. */
  role?: 'group' | 'radiogroup'
  className?: string
  children: (ties: FieldTies) => ReactNode
}

/** A label, a control and the texts below it. */
export function Field({ label, hint, error, beside, role, className = '', children }: AnyFieldProps) {
  const id = useId()
  const about = [error && `${id}error`, hint && `${id}hint`].filter(Boolean).join(' ')
  const described = about && { 'aria-describedby': about }
  const group = role && { role, 'aria-labelledby': `${id}label`, ...described }
  return (
    <div {...group} className={`${styles.field} ${error ? styles.wrong : ''} ${className}`}>
      {role ? (
        <span id={`${id}label`} className={styles.label}>
          {label}
        </span>
      ) : (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      {children({ id, ...(error && { 'aria-invalid': true }), ...(!role && described) })}
      {beside && <div className={styles.beside}>{beside}</div>}
      {error && (
        <div id={`${id}error`} className={styles.error}>
          {error}
        </div>
      )}
      {hint && (
        <div id={`${id}hint`} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  )
}

export type TextFieldProps = FieldProps & {
  onChange?: (value: string) => void
  ref?: Ref<HTMLInputElement>
  large?: boolean
  /** For a code: its digits stand apart, each as wide as another. */
  digits?: boolean
  /** Inside the field, after its text. */
  end?: ReactNode
} & Pick<
    InputHTMLAttributes<HTMLInputElement>,
    | 'name'
    | 'type'
    | 'value'
    | 'readOnly'
    | 'disabled'
    | 'required'
    | 'autoComplete'
    | 'autoCapitalize'
    | 'autoCorrect'
    | 'autoFocus'
    | 'inputMode'
    | 'spellCheck'
    | 'placeholder'
    | 'onKeyDown'
    | 'min'
    | 'max'
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
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      beside={beside}
      className={`${large ? styles.large : ''} ${digits ? styles.digits : ''}`}
    >
      {(ties) => (
        <div className={styles.box}>
          <input
            {...input}
            {...ties}
            className={styles.input}
            onChange={({ target }) => onChange?.(target.value)}
          />
          {end}
        </div>
      )}
    </Field>
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
