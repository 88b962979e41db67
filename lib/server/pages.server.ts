import next from 'next'
import type { ServePage } from '#lib/server/front.server'

/** The console's pages and assets, from Next, which reports to nobody what it serves. */
export async function openPages(): Promise<ServePage> {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  const pages = next({ dev: false })
  await pages.prepare()
  return pages.getRequestHandler()
}
