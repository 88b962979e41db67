import { z } from 'zod'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import type { Api } from './api'

const named = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

/** An enterprise that asks its users for two factor. */
export async function newStrictEnterprise(api: Api): Promise<{ id: number; name: string }> {
  const body = { name: `Strict ${crypto.randomUUID()}`, twoFactorAuthenticationMandatory: true }
  return api.post('/api/admin/enterprises', body, z.object({ id: z.int(), name: z.string() }))
}

/** A name that no other test uses. */
export const fresh = (what: string): string => `${what} ${crypto.randomUUID().slice(0, 8)}`

export const idOf = (privilege: Privilege): number => allPrivileges.indexOf(privilege) + 1

export const newRole = (api: Api, ...privileges: Privilege[]): Promise<{ id: number; name: string }> =>
  api.post(
    '/api/admin/roles',
    {
      name: fresh('Role').toUpperCase().replace(' ', '_'),
      links: privileges.map((name) => ({ rel: 'privilege', href: `/api/config/privileges/${idOf(name)}` })),
    },
    z.object({ id: z.int(), name: z.string() }),
  )

/**
 * A user with every privilege, whose preferences no other test sees. Not of the role CLOUD_ADMIN: with a second cloud administrator,
 * demoting the last one would not be refused.
 */
export const newAdministrator = async (api: Api): Promise<Person> =>
  newUser(api, 1, (await newRole(api, ...allPrivileges)).name)

/** The password that each of them has chosen. */
export const chosenPassword = 'four words in a row'

export type Person = { nick: string; password: string }

/** A user of this test alone, with a password of their own choice. */
export async function newUser(api: Api, enterprise = 1, role = 'USER'): Promise<Person> {
  const { nick, password: oldPassword } = await newcomer(api, enterprise, role)
  const password = chosenPassword
  const send = async (method: string, path: string, from?: Response, body?: object) => {
    const response = await fetch(api.at(path), {
      method,
      headers: {
        'content-type': 'application/json',
        cookie: from?.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${nick} chooses a password: ${method} ${path} ${response.status}`)
    return response
  }
  const signedIn = await send('POST', '/api/session', undefined, { nick, password: oldPassword })
  const changed = await send('PUT', '/api/session/password', signedIn, { oldPassword, password })
  await send('DELETE', '/api/session', changed)
  return { nick, password }
}

/** The same user, whose password was still chosen by an administrator. */
export async function newcomer(api: Api, enterprise = 1, role = 'USER'): Promise<Person> {
  const { collection } = await api.get(`/api/admin/roles?has=${role}`, named)
  const id = collection.find(({ name }) => name === role)?.id
  const user = { nick: `person-${crypto.randomUUID()}`, password: 'a password of a person' }
  const links = [{ rel: 'role', href: `/api/admin/roles/${id}` }]
  await api.post(
    `/api/admin/enterprises/${enterprise}/users`,
    { ...user, name: 'Person', links },
    z.object({}),
  )
  return user
}
