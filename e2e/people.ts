import { z } from 'zod'
import type { Api } from './api'

const named = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

/** An enterprise that asks its users for two factor. */
export async function newStrictEnterprise(api: Api): Promise<{ id: number; name: string }> {
  const body = { name: `Strict ${crypto.randomUUID()}`, twoFactorAuthenticationMandatory: true }
  return api.post('/api/admin/enterprises', body, z.object({ id: z.int(), name: z.string() }))
}

/** What each of them has chosen. */
export const chosenPassword = 'four words in a row'

export type Person = { nick: string; password: string }

/** A user of the role USER, in the first enterprise where none is given, whom no other test knows, and who has chosen his password. */
export async function newUser(api: Api, enterprise = 1): Promise<Person> {
  const { nick, password: oldPassword } = await newcomer(api, enterprise)
  const json = { 'content-type': 'application/json' }
  const signedIn = await fetch(api.at('/api/session'), {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ nick, password: oldPassword }),
  })
  const password = chosenPassword
  const changed = await fetch(api.at('/api/session/password'), {
    method: 'PUT',
    headers: { ...json, cookie: signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '' },
    body: JSON.stringify({ oldPassword, password }),
  })
  if (changed.status !== 204) throw new Error(`${nick} could not choose a password: ${changed.status}`)
  return { nick, password }
}

/** The same, whose password is still somebody else's choice. */
export async function newcomer(api: Api, enterprise = 1): Promise<Person> {
  const { collection } = await api.get('/api/admin/roles?has=USER', named)
  const role = collection.find(({ name }) => name === 'USER')?.id
  const user = { nick: `person-${crypto.randomUUID()}`, password: 'a password of a person' }
  const links = [{ rel: 'role', href: `/api/admin/roles/${role}` }]
  await api.post(
    `/api/admin/enterprises/${enterprise}/users`,
    { ...user, name: 'Person', links },
    z.object({}),
  )
  return user
}
