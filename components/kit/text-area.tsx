import type { TextareaHTMLAttributes } from 'react'
import { Field, type TextFieldProps } from './field'
import styles from './field.module.css'

type TextAreaProps = Pick<TextFieldProps, 'label' | 'hint' | 'error' | 'onChange'> &
  Pick<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    'value' | 'rows' | 'placeholder' | 'spellCheck' | 'readOnly' | 'name'
  >

/** Several lines of text. */
export const TextArea = ({ label, hint, error, onChange, ...area }: TextAreaProps) => (
  <Field {...{ label, hint, error }}>
    {(ids) => (
      <div className={styles.box}>
        <textarea
          {...area}
          {...ids}
          className={`${styles.input} ${styles.area}`}
          onChange={({ target }) => onChange?.(target.value)}
        />
      </div>
    )}
  </Field>
)
