import { queryOptions } from '@tanstack/react-query'
import { api } from '#lib/client/api'
import { collectionQuery, type Query } from '#lib/client/resources.queries'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import type { AccessExplanation, AskedMethod } from '#lib/request/access/access.schema'

/** A request whose permissions are asked for. */
export type AskedCall = { method: AskedMethod; path: string }

const ACCESS = '/api/access/action'

/** The reason why the user may or may not make the call, read again each time. */
export const explanationQuery = (user: number, { method, path }: AskedCall) =>
  queryOptions({
    queryKey: ['access-explanation', user, method, path],
    queryFn: ({ signal }) =>
      api<AccessExplanation>(`${ACCESS}/explain`, {
        method: 'POST',
        body: { user, method, path },
        signal,
        once: false,
      }),
  })

/** One page of the users who may make the call. */
export const whoMayQuery = ({ method, path }: AskedCall, query: Query) =>
  collectionQuery<UserDocument>(`${ACCESS}/who`, { method, path, ...query })
