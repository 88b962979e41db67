import { join } from 'node:path'
import next from 'next'
import { compressedFiles } from '#lib/server/compressed.server'
import type { ServePage } from '#lib/server/front.server'

/** The console's pages and assets, served by Next without its telemetry. */
export async function openPages(): Promise<ServePage> {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  const pages = next({ dev: false })
  await pages.prepare()
  const serveNext = pages.getRequestHandler()
  const serveCompressed = compressedFiles(join('.next', 'static'), '/_next/static')
  return (request, response) => serveCompressed(request, response) || serveNext(request, response)
}
