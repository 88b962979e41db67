import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'
import { Button } from './button'
import styles from './field.module.css'
import { icons } from './icons'

type FieldProps = {
  /** Absent: the control has a name of its own. */
  label?: ReactNode
  /** Below the field. The fault stands before it. */
  hint?: ReactNode
  error?: ReactNode
  /** It is accepted, but perhaps not meant so. A fault takes its place. */
  warning?: ReactNode
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
export function Field({
  label,
  hint,
  error,
  warning,
  beside,
  role,
  className = '',
  children,
}: AnyFieldProps) {
  const id = useId()
  const warned = !error && warning
  const about = [error && `${id}error`, warned && `${id}warning`, hint && `${id}hint`]
    .filter(Boolean)
    .join(' ')
  const described = about && { 'aria-describedby': about }
  const group = role && { role, 'aria-labelledby': `${id}label`, ...described }
  return (
    <div {...group} className={`${styles.field} ${error ? styles.wrong : ''} ${className}`}>
      {role ? (
        <span id={`${id}label`} className={styles.label}>
          {label}
        </span>
      ) : (
        label && (
          <label className={styles.label} htmlFor={id}>
            {label}
          </label>
        )
      )}
      {children({ id, ...(error && { 'aria-invalid': true }), ...(!role && described) })}
      {beside && <div className={styles.beside}>{beside}</div>}
      {error && (
        <div id={`${id}error`} className={styles.error}>
          {error}
        </div>
      )}
      {warned && (
        <div id={`${id}warning`} className={styles.warning}>
          {warned}
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

type TextInputProps = {
  onChange?: (value: string) => void
  ref?: Ref<HTMLInputElement>
  /** Inside the field, after its text. */
  end?: ReactNode
} & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'id'
  | 'aria-label'
  | 'aria-invalid'
  | 'aria-describedby'
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
  | 'onFocus'
  | 'onBlur'
  | 'min'
  | 'max'
>

/** One line of text, without its label. */
export const TextInput = ({ onChange, end, ...input }: TextInputProps) => (
  <div className={styles.box}>
    <input {...input} className={styles.input} onChange={({ target }) => onChange?.(target.value)} />
    {end}
  </div>
)

export type TextFieldProps = FieldProps &
  Omit<TextInputProps, 'id'> & {
    large?: boolean
    /** For a code: its digits stand apart, each as wide as another. */
    digits?: boolean
  }

export const TextField = ({
  label,
  hint,
  error,
  warning,
  beside,
  large,
  digits,
  ...input
}: TextFieldProps) => (
  <Field
    {...{ label, hint, error, warning, beside }}
    className={`${large ? styles.large : ''} ${digits ? styles.digits : ''}`}
  >
    {(ties) => <TextInput {...input} {...ties} />}
  </Field>
)

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
        <Button
          look="inner"
          icon={isShown ? icons.eyeOff : icons.eye}
          label={show}
          aria-pressed={isShown}
          onPress={() => setShown(!isShown)}
        />
      }
    />
  )
}
