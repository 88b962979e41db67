import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '#lib/client/api'

/** A transient failure: no network, or a server that is starting. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status > 501)

/** Learns of each refusal, which may show that the session has ended. */
export type HearRefusal = (client: QueryClient, refusal: ApiFailure) => void

/** The cache of server data. */
export function createQueryClient(
  hearRefusal: HearRefusal,
  /** The moment that its queries read (as-of.ts). */
  asof?: string,
): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiFailure) hearRefusal(client, error)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without 'always' a query waits silently while the browser reports that it is offline.
      queries: {
        retry: (failures, error) => failures < 1 && isPassing(error),
        networkMode: 'always',
        staleTime: 10_000,
        // The past does not change.
        ...(asof !== undefined && { meta: { asof }, staleTime: Number.POSITIVE_INFINITY }),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
