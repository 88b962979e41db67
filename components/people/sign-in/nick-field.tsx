import { useTranslations } from 'use-intl'
import { TextField, type TextFieldProps } from '#components/base/forms/text-field'

/** The nick, as a browser's password manager finds it. */
export const NickField = (props: Pick<TextFieldProps, 'error' | 'readOnly' | 'value' | 'onChange'>) => (
  <TextField
    {...props}
    label={useTranslations('signIn')('nick')}
    stretch={false}
    name="nick"
    autoComplete="username webauthn"
    disableBrowserAutocorrect
    spellcheck={false}
  />
)
