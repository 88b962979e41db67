import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { constants, createGzip } from 'node:zlib'
import { routeOf } from '#lib/http/route.server'

/*
 * Only full exports are compressed (docs/api.md, "Compression"). Small answers gain nothing, and compressing a secret beside text of the
 * client's choice reveals the secret (CVE-2013-3587).
 */

/** RFC 9110 §12.5.3: gzip is taken where it is named, or `*` is, and not with q=0. Whoever sends no such header gets the list as it is. */
export function takesGzip(accepted: string | null): boolean {
  const codings = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((each) => each.startsWith('q='))
      return [coding, quality === undefined || Number(quality.slice(2)) > 0] as const
    }),
  )
  return codings.get('gzip') ?? codings.get('x-gzip') ?? codings.get('*') ?? false
}

/** The body, compressed piece by piece where the client takes that: each piece is sent as soon as it is there, and none is kept. */
export function compressed(
  body: string | ReadableStream<Uint8Array>,
  request: Request,
  headers: Headers,
): string | ReadableStream<Uint8Array> {
  headers.append('vary', 'Accept-Encoding')
  // Under next dev, where nobody says the route, Next takes the header away that tells of the compression.
  const isServedByNext = routeOf(request) === undefined
  if (isServedByNext || !takesGzip(request.headers.get('accept-encoding'))) return body
  headers.set('content-encoding', 'gzip')
  const source = typeof body === 'string' ? Readable.from([body]) : Readable.fromWeb(body as WebStream)
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
  // Either end tells the other that it has gone; the answer's reader learns it from the stream itself.
  pipeline(source, gzip, () => {})
  return Readable.toWeb(gzip) as ReadableStream<Uint8Array>
}
