import { z } from 'zod'
import type { Api } from './api'

const named = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

/** An enterprise that asks its users for two factor. */
export async function newStrictEnterprise(api: Api): Promise<{ id: number; name: string }> {
  const body = { name: `Strict ${crypto.randomUUID()}`, twoFactorAuthenticationMandatory: true }
  return api.post('/api/admin/enterprises', body, z.object({ id: z.int(), name: z.string() }))
}

/** A user of the role USER, in the first enterprise where none is given, whom no other test knows. */
export async function newUser(api: Api, enterprise = 1): Promise<{ nick: string; password: string }> {
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
