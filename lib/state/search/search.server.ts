import type { ReadContext } from '#lib/caller/auth/context.server'
import { can } from '#lib/caller/auth/privileges'
import { kinds } from '#lib/caller/kinds/kinds'
import { database } from '#lib/db/db.server'
import type { Listing } from '#lib/ground/http/render.server'
import { link } from '#lib/ground/http/view'
import { type Found, find } from '#lib/state/search/find.server'
import {
  type SearchHit,
  type SearchInput,
  type SearchType,
  searchTypes,
} from '#lib/state/search/search.schema'

/** The first hits of each kind that the caller may list. There is no total, because counting would be slow. */
export async function search(
  { caller }: Pick<ReadContext, 'caller'>,
  { has: text, limit }: SearchInput,
): Promise<Listing> {
  const hits: SearchHit[] = []
  const allowed = text === '' ? [] : searchTypes.filter((type) => can(caller, kinds[type].readers))
  for (const type of allowed) {
    const found = await find(type, { caller, db: database().scan }, { text, limit })
    hits.push(...found.map((each) => hitView(type, each)))
  }
  return { links: [], totalSize: hits.length, collection: hits }
}

const hitView = (
  type: SearchType,
  { id, name, path, detail, datacenter, enterprise, network }: Found,
): SearchHit => ({
  links: [
    link('self', path, type, name),
    ...(network ? [link('natnetwork', network.path, 'natnetwork', network.name)] : []),
  ],
  type,
  id,
  name,
  ...(detail && { detail }),
  ...(datacenter && { datacenter }),
  ...(enterprise && { enterprise }),
})
