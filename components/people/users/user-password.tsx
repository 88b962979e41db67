import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { FieldKind, InputProps } from '#components/base/forms/declared-form'
import { PasswordField } from '#components/base/forms/password-field'
import { SecretOnce } from '#components/base/forms/secret-once'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Field } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { isNick } from '#lib/caller/auth/password.schema'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { nickProblem } from '#lib/people/identity/nick'
import { SERVICE } from '#lib/people/identity/users.schema'
import type { Say } from '#lib/words/words'
import { useCanInvite } from './new-user'

type Beside = { authType: string }

/** Never read. An empty one stays as it is. */
export const password: FieldKind<string, string | undefined, Beside, UserDocument> = {
  Input: PasswordInput,
  empty: '',
  read: () => '',
  send: (typed) => typed || undefined,
}

type Typed = { nick: string; name: string; email: string; password: string; authType: string }

/** The faults that the rules of the input do not know: a new nick, a missing password, and one that is short or like the nick. */
export function userFaults(
  say: Say<'users.faults'>,
  { nick, name, email, password, authType }: Typed,
  { isNew, least, canInvite }: { isNew: boolean; least: number; canInvite: boolean },
): Partial<Record<'nick' | 'name' | 'email' | 'password', string | undefined>> {
  const [typedNick, typedEmail] = [nick.trim(), email.trim()]
  const wrongNick = {
    ...(isNew && typedNick !== '' && nickProblem(typedNick) && { nick: say('nick') }),
    // The mail address is the user name, and begins with a name.
    ...(isNew &&
      typedNick === '' && { nick: undefined, ...(typedEmail === '' && { email: say('emailOrNick') }) }),
    ...(isNew && name.trim() === '' && { name: undefined }),
  }
  const hasPassword = authType !== SERVICE && (password !== '' || (isNew && !canInvite))
  if (!hasPassword) return { ...wrongNick }
  if ([...password].length < least) return { ...wrongNick, password: say('passwordShort', { least }) }
  return { ...wrongNick, ...(isNick(password, nick.trim()) && { password: say('passwordIsNick') }) }
}

function PasswordInput({ error, value, form, onChange }: InputProps<string, Beside, UserDocument>) {
  const { saved: user, draft } = form
  const say = useTranslations('users.form')
  const label = useTranslations('labels')
  const { id, passwordMinLength: min } = useSession()
  const canInvite = useCanInvite()
  const [generated, setGenerated] = useState<string>()
  const generate = () => {
    const made = generatePassword(min)
    setGenerated(made)
    onChange(made)
  }
  if (draft.authType === SERVICE) return null
  if (user?.id === id)
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
        hint={passwordHint(say, value, min)}
        error={error}
        autoComplete="new-password"
        readOnly={form.isSaving}
        value={value}
        onChange={onChange}
      />
      <Button look="link" onPress={generate}>
        {say('passwordSuggest')}
      </Button>
      {generated !== undefined && generated === value && (
        <SecretOnce secret={generated} label={say('passwordGenerated')} copyLabel={say('copyPassword')}>
          {say('passwordPass')}
        </SecretOnce>
      )}
      <div className="quiet">
        {say(user ? 'passwordEditAbout' : canInvite ? 'passwordInviteAbout' : 'passwordNewAbout')}
      </div>
    </Stack>
  )
}

/** How far the password is from being long enough; counted in characters, as the server does. */
function passwordHint(say: Say<'users.form'>, typed: string, min: number): string {
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
