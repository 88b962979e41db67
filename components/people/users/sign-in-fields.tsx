import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { NetworksField } from '#components/base/forms/networks-field'
import { PasswordField } from '#components/base/forms/password-field'
import { SecretOnce } from '#components/base/forms/secret-once'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Field } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Switch } from '#components/kit/switch'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import type { FieldsProps } from './person-fields'

type SignInFieldsProps = FieldsProps & {
  /** The saved user; undefined for a new one. */
  user: UserDocument | undefined
  isSelf: boolean
  isSaving: boolean
}

/** How and whether the user may sign in. */
export function SignInFields(props: SignInFieldsProps) {
  const { draft, errors, isSelf, change } = props
  const say = useTranslations('users.form')
  const sayRefusal = useTranslations('users.refusal')
  const shut = isSelf ? sayRefusal('shutYourself') : undefined
  return (
    <Card title={say('signIn')}>
      <Stack gap="l">
        {!draft.isService && <Password {...props} />}
        {(['active', 'locked'] as const).map((name) => (
          <Field key={name} role="group" label={say(name)} error={errors[name]}>
            {() => (
              <Switch
                on={draft[name]}
                about={say(`${name}Hint`)}
                refused={shut}
                onChange={(isOn) => change({ [name]: isOn })}
              >
                {say(`${name}Toggle`)}
              </Switch>
            )}
          </Field>
        ))}
        <NetworksField
          networks={draft.allowedCIDRs}
          typed={draft.network}
          error={errors.allowedCIDRs}
          description={say('networksHint')}
          onChange={change}
        />
      </Stack>
    </Card>
  )
}

function Password({ user, draft, errors, isSelf, isSaving, change }: SignInFieldsProps) {
  const say = useTranslations('users.form')
  const label = useTranslations('labels')
  const { passwordMinLength: min } = useSession()
  const [generated, setGenerated] = useState<string>()
  const generate = () => {
    const password = generatePassword(min)
    setGenerated(password)
    change({ password })
  }
  if (isSelf)
    return (
      <Field role="group" label={label('password')}>
        {() => (
          <div>
            {say.rich('passwordOwn', {
              link: (inside) => <AppLink to={paths.password()}>{inside}</AppLink>,
            })}
          </div>
        )}
      </Field>
    )
  if (user && user.authType !== 'LOCAL')
    return (
      <Field role="group" label={label('password')}>
        {() => <div className="quiet">{say('passwordElsewhere')}</div>}
      </Field>
    )
  return (
    <Stack gap="s">
      <PasswordField
        label={user ? say('newPassword') : label('password')}
        hint={passwordHint(say, draft.password, min)}
        error={errors.password}
        autoComplete="new-password"
        readOnly={isSaving}
        value={draft.password}
        onChange={(password) => change({ password })}
      >
        <Button look="link" onPress={generate}>
          {say('passwordSuggest')}
        </Button>
      </PasswordField>
      {generated !== undefined && generated === draft.password && (
        <SecretOnce secret={generated} label={say('passwordGenerated')} copyLabel={say('copyPassword')}>
          {say('passwordPass')}
        </SecretOnce>
      )}
      <div className="quiet">{say(user ? 'passwordEditAbout' : 'passwordNewAbout')}</div>
    </Stack>
  )
}

type Say = ReturnType<typeof useTranslations<'users.form'>>

/** How far the password is from being long enough; counted in characters, as the server does. */
function passwordHint(say: Say, typed: string, min: number): string {
  const count = [...typed].length
  if (count === 0) return say('passwordHint', { min })
  return count < min ? say('passwordShort', { count, min }) : say('passwordEnough', { count })
}

// Without letters and digits that look alike.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const defaultLength = 20

/** A random password of 99 bits or more, in groups of five that are easy to type. */
function generatePassword(minLength: number): string {
  const length = Math.max(defaultLength, minLength)
  const chosen: string[] = []
  while (chosen.length < length) {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
    // There are 31 letters: the 32nd value is drawn again, so that each letter is equally likely.
    const letter = letters[random % 32]
    if (letter !== undefined) chosen.push(letter)
  }
  return chosen.join('').replace(/(.{5})(?=.)/g, '$1-')
}
