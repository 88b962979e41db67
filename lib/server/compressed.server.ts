import { createReadStream, globSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { namedCodings } from '#lib/ground/http/compress.server'

/*
 * The scripts and style sheets of the console, as `npm run build` compressed them: a fifth smaller than by Next, which compresses each
 * file again for each browser.
 */

const types: Record<string, string> = {
  css: 'text/css; charset=UTF-8',
  js: 'application/javascript; charset=UTF-8',
  svg: 'image/svg+xml',
}

/** Serves the compressed files of this folder. Returns false for every other request. */
export function compressedFiles(folder: string, address: string) {
  const sizes = new Map(
    globSync('**/*.br', { cwd: folder }).map((file) => [
      `${address}/${file.slice(0, -'.br'.length)}`,
      statSync(join(folder, file)).size,
    ]),
  )
  return ({ method, url = '', headers }: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = url.split('?', 1)
    const size = sizes.get(path)
    const type = types[path.slice(path.lastIndexOf('.') + 1)]
    if (!size || !type || headers.range || !namedCodings(headers['accept-encoding']?.toString()).get('br'))
      return false
    response.writeHead(200, {
      'content-type': type,
      'content-encoding': 'br',
      'content-length': size,
      // The name of a file changes with its content.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    if (method === 'HEAD') response.end()
    else
      pipeline(createReadStream(`${join(folder, path.slice(address.length))}.br`), response, () => undefined)
    return true
  }
}
