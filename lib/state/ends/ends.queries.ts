import { collectionQuery, type Query } from '#lib/client/resources.queries'
import type { EndDocument } from '#lib/state/ends/ends-list.schema'

/** What the user sees end by itself, the next first. */
export const endsQuery = (query: Query) => collectionQuery<EndDocument>('/api/ends', query)
