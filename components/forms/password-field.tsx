import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import styles from './password-field.module.css'

type PasswordFieldProps = {
  label: string
  hint?: string
  fault: ReactNode
  autoComplete: 'current-password' | 'new-password'
  readOnly: boolean
  value: string
  onChange: (value: string) => void
  /** Beside the checkbox that shows the password. */
  children?: ReactNode
}

export function PasswordField(props: PasswordFieldProps) {
  const say = useTranslations('common')
  const [isShown, setShown] = useState(false)
  return (
    <SpaceBetween size="xs">
      <FormField
        label={props.label}
        constraintText={props.hint}
        errorText={props.fault}
        i18nStrings={{ errorIconAriaLabel: say('errorIcon') }}
      >
        <Input
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete={props.autoComplete}
          disableBrowserAutocorrect
          spellcheck={false}
          readOnly={props.readOnly}
          value={props.value}
          onChange={({ detail }) => props.onChange(detail.value)}
        />
      </FormField>
      <div className={styles.beside}>
        <Checkbox checked={isShown} onChange={({ detail }) => setShown(detail.checked)}>
          {say('showPassword')}
        </Checkbox>
        {props.children}
      </div>
    </SpaceBetween>
  )
}
