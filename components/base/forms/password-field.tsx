import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { PasswordField as Field } from '#components/kit/field'

type PasswordFieldProps = {
  label: string
  hint?: string
  error: ReactNode
  autoComplete: 'current-password' | 'new-password'
  readOnly: boolean
  value: string
  onChange: (value: string) => void
}

export const PasswordField = (field: PasswordFieldProps) => (
  <Field {...field} name="password" show={useTranslations('common')('showPassword')} />
)
