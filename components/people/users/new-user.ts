import { useQuery } from '@tanstack/react-query'
import { signInWaysQuery } from '#lib/caller/auth/session.queries'
import { SERVICE } from '#lib/people/identity/users.schema'

/** With an identity provider, people sign in there, so that nobody can be invited. */
export function useCanInvite(): boolean {
  const { data: ways } = useQuery(signInWaysQuery)
  return !ways?.oidc && !ways?.saml
}

type Typed = {
  nick: string
  name: string
  email: string
  authType: string | undefined
  password: string | undefined
}

/** What a form that asks for a mail address alone leaves open: the user name, the name, and how the user signs in. */
export function asNewUser<T extends Typed>(draft: T, canInvite: boolean): T & { invite?: true } {
  const { email, authType, password } = draft
  const nick = draft.nick || email
  const name = draft.name || nick.split('@', 1)[0] || nick
  const isInvited = canInvite && authType !== SERVICE && password === undefined
  return { ...draft, nick, name, ...(isInvited && { invite: true }) }
}
