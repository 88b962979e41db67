import { z } from 'zod'
import type { Api } from './api'

const named = z.object({ collection: z.array(z.object({ id: z.int(), name: z.string() })) })

/** A user of the role USER in the first enterprise, whom no other test knows. */
export async function newUser(api: Api): Promise<{ nick: string; password: string }> {
  const { collection } = await api.get('/api/admin/roles?has=USER', named)
  const role = collection.find(({ name }) => name === 'USER')?.id
  const user = { nick: `person-${crypto.randomUUID()}`, password: 'a password of a person' }
  const links = [{ rel: 'role', href: `/api/admin/roles/${role}` }]
  await api.post('/api/admin/enterprises/1/users', { ...user, name: 'Person', links }, z.object({}))
  return user
}
