import { type QueryClient, queryOptions } from '@tanstack/react-query'

/* Secrets that were generated just before, for the next screen, which forgets them. */

type Kind = 'accesstoken' | 'application' | 'user' | 'webhook'

const keyOf = (kind: Kind, id: number) => ['new-secret', kind, id]

export const newSecretQuery = (kind: Kind, id: number) =>
  queryOptions<string | null>({
    queryKey: keyOf(kind, id),
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const forgetSecret = (client: QueryClient, kind: Kind, id: number): void =>
  client.removeQueries({ queryKey: keyOf(kind, id) })

/** The response to a repeated request has no secret. */
export function keepSecret(client: QueryClient, kind: Kind, id: number, secret: string | undefined): void {
  if (secret !== undefined) client.setQueryData<string | null>(keyOf(kind, id), secret)
}
