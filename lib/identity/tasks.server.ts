import type { ReadContext } from '#lib/auth/context.server'
import { type Paging, pageLinks } from '#lib/http/paging'
import type { Listing } from '#lib/http/render.server'
import { readUser, type UserPath } from '#lib/identity/users.server'

export const taskOrders = ['id'] as const

/** Always empty: every operation finishes before it answers. */
export async function listPendingTasks(
  asked: ReadContext & { params: UserPath },
  paging: Paging<(typeof taskOrders)[number]>,
): Promise<Listing> {
  const { enterprise, user } = asked.params
  await readUser(asked)
  const path = `/admin/enterprises/${enterprise || '_'}/users/${user}/action/pendingtasks`
  return { links: pageLinks(path, { ...paging, startwith: 0 }, 0), totalSize: 0, collection: [] }
}
