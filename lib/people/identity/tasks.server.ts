import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { type Paging, pageLinks } from '#lib/ground/http/paging'
import type { Listing } from '#lib/ground/http/render.server'
import type { UserPath } from '#lib/people/identity/users.server'

export const taskOrders = ['id'] as const

/** Always empty: every operation finishes before it answers. */
export async function listPendingTasks({
  params: { enterprise, user },
  query: paging,
}: {
  params: UserPath
  query: Paging<(typeof taskOrders)[number]>
}): Promise<Listing> {
  const path = `${pathOf(kinds.user, { enterprise: enterprise || '_', id: user })}/action/pendingtasks`
  return { links: pageLinks(path, { ...paging, startwith: 0 }, 0), totalSize: 0, collection: [] }
}
