import { type Paging, pageLinks } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'
import type { UserPath } from '#lib/identity/users.server'
import { pathOf } from '#lib/kinds/kind'
import { kinds } from '#lib/kinds/kinds'

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
