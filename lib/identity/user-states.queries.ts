import type { QueryClient } from '@tanstack/react-query'
import { api, apiWithTag } from '#lib/client/api'
import { ifMatch, isAtOrBelow, pathKey } from '#lib/client/resources.queries'
import type { UserDocument } from '#lib/identity/identity.schema'
import { enterpriseOfUser, userPath } from '#lib/identity/users.queries'

/** What can be changed of many users at once. */
export type UserState = Partial<Pick<UserDocument, 'active' | 'locked'>>

const pathOf = (user: UserDocument): string => userPath(enterpriseOfUser(user), user.id)

/** Changes what is named and leaves all else as it is on the server at this moment. */
export async function changeUserState(user: UserDocument, changes: UserState): Promise<UserDocument> {
  const { document, etag } = await apiWithTag<UserDocument>(pathOf(user))
  return api(pathOf(user), { method: 'PUT', body: { ...document, ...changes }, headers: ifMatch(etag) })
}

export const deleteUser = (user: UserDocument): Promise<void> => api(pathOf(user), { method: 'DELETE' })

/** After changes of many users: whatever is shown of users asks again, and the tree, which counts them. */
export async function manyUsersChanged(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey }) => isAtOrBelow(queryKey, '/api/admin/enterprises') && queryKey[4] === 'users',
  })
  await client.invalidateQueries({ queryKey: pathKey('/api/admin/scopes/action/tree') })
}
