import Checkbox from '@cloudscape-design/components/checkbox'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import styles from './password-field.module.css'
import { TextField } from './text-field'

type PasswordFieldProps = {
  label: string
  hint?: string
  error: ReactNode
  autoComplete: 'current-password' | 'new-password'
  readOnly: boolean
  value: string
  onChange: (value: string) => void
  /** Beside the checkbox that shows the password. */
  children?: ReactNode
}

export function PasswordField({ hint, children, ...field }: PasswordFieldProps) {
  const say = useTranslations('common')
  const [isShown, setShown] = useState(false)
  return (
    <SpaceBetween size="xs">
      <TextField
        {...field}
        constraintText={hint}
        stretch={false}
        name="password"
        type={isShown ? 'text' : 'password'}
        disableBrowserAutocorrect
        spellcheck={false}
      />
      <div className={styles.beside}>
        <Checkbox checked={isShown} onChange={({ detail }) => setShown(detail.checked)}>
          {say('showPassword')}
        </Checkbox>
        {children}
      </div>
    </SpaceBetween>
  )
}
