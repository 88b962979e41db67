import next from 'next'
import type { ServePage } from '#lib/server/front.server'

/** The console's pages and assets, served by Next without its telemetry. */
export async function openPages(): Promise<ServePage> {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  const pages = next({ dev: false })
  await pages.prepare()
  return pages.getRequestHandler()
}
