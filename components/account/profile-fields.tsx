import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import type { FieldErrors } from '#components/forms/form-faults'
import { Card } from '#components/layout/card'
import { useSession } from '#components/session/session'
import type { Profile, ProfileField } from './profile-draft'

export type ProfileFieldsProps = {
  draft: Profile
  errors: FieldErrors<ProfileField>
  onChange: (changes: Partial<Profile>) => void
}

/** The `autocomplete` of each field (HTML §4.10.18.7.1). */
const completions: Partial<Record<ProfileField, string>> = {
  name: 'given-name',
  surname: 'family-name',
  email: 'email',
}

export function ProfileFields({ draft, errors, onChange }: ProfileFieldsProps) {
  const say = useTranslations('account.editProfile')
  const sayCommon = useTranslations('common')
  const { twoFactorProvider } = useSession()
  const input = (field: Exclude<ProfileField, 'locale'>, props: Partial<InputProps> = {}) => (
    <Input
      value={draft[field]}
      autoComplete={completions[field] ?? false}
      onChange={({ detail }) => onChange({ [field]: detail.value })}
      {...props}
    />
  )
  const optional = (label: string) => (
    <>
      {label} <i>– {sayCommon('optional')}</i>
    </>
  )
  return (
    <Card title={say('person')}>
      <SpaceBetween size="l">
        <FormField label={say('name')} errorText={errors.name} stretch>
          {input('name', { ariaRequired: true })}
        </FormField>
        <FormField label={optional(say('surname'))} errorText={errors.surname} stretch>
          {input('surname')}
        </FormField>
        <FormField
          label={twoFactorProvider === 'EMAIL' ? say('email') : optional(say('email'))}
          constraintText={say(twoFactorProvider === 'EMAIL' ? 'emailCodes' : 'emailHint')}
          errorText={errors.email}
          stretch
        >
          {input('email', { type: 'email', inputMode: 'email', spellcheck: false })}
        </FormField>
        <FormField
          label={optional(say('description'))}
          constraintText={say('descriptionHint')}
          errorText={errors.description}
          stretch
        >
          {input('description')}
        </FormField>
      </SpaceBetween>
    </Card>
  )
}
