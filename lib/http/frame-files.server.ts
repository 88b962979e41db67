import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** What the build says of the parts that `next/dynamic` loads; the console has one, its frame. */
const manifest = z.record(z.string(), z.object({ files: z.array(z.string()) }))
const manifestFile = '.next/server/app/[[...path]]/page/react-loadable-manifest.json'

function readFiles(): string[] {
  if (process.env.NODE_ENV !== 'production') return []
  const parts = manifest.parse(JSON.parse(readFileSync(join(process.cwd(), manifestFile), 'utf8')))
  return Object.values(parts).flatMap(({ files }) => files.map((file) => `/_next/${file}`))
}

const files = readFiles()

/** The addresses of what draws the frame around every screen: whoever is signed in needs it first. */
export const frameScripts = files.filter((file) => file.endsWith('.js'))
export const frameStyles = files.filter((file) => file.endsWith('.css'))
