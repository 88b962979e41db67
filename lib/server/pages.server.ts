import next from 'next'
import type { ServePage } from '#lib/server/front.server'

/** The console's pages and assets, from Next. */
export async function openPages(): Promise<ServePage> {
  const pages = next({ dev: false })
  await pages.prepare()
  return pages.getRequestHandler()
}
