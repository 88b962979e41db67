import { useTranslations } from 'use-intl'
import { TextField, type TextFieldProps } from '#components/kit/field'

/** The nick, as a browser's password manager finds it. */
export const NickField = (props: Pick<TextFieldProps, 'error' | 'readOnly' | 'value' | 'onChange'>) => (
  <TextField
    {...props}
    large
    label={useTranslations('signIn')('nick')}
    name="nick"
    autoComplete="username webauthn"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
  />
)
