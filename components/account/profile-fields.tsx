import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslations } from 'use-intl'
import { Optional, TextField } from '#components/forms/text-field'
import type { FormFields } from '#components/forms/use-resource-form'
import { Card } from '#components/layout/card'
import { useSession } from '#components/session/session'
import type { Profile, ProfileField } from './profile-draft'

export function ProfileFields({ field }: FormFields<Profile, ProfileField>) {
  const say = useTranslations('account.editProfile')
  const { twoFactorProvider } = useSession()
  const takesCodes = twoFactorProvider === 'EMAIL'
  const email = takesCodes ? say('email') : <Optional>{say('email')}</Optional>
  return (
    <Card title={say('person')}>
      <SpaceBetween size="l">
        <TextField {...field('name')} label={say('name')} autoComplete="given-name" ariaRequired />
        <TextField
          {...field('surname')}
          label={<Optional>{say('surname')}</Optional>}
          autoComplete="family-name"
        />
        <TextField
          {...field('email')}
          label={email}
          constraintText={say(takesCodes ? 'emailCodes' : 'emailHint')}
          type="email"
          inputMode="email"
          autoComplete="email"
          spellcheck={false}
        />
        <TextField
          {...field('description')}
          label={<Optional>{say('description')}</Optional>}
          constraintText={say('descriptionHint')}
          autoComplete={false}
        />
      </SpaceBetween>
    </Card>
  )
}
