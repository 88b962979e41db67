import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { constants, createGzip } from 'node:zlib'
import type { AnswerHeaders } from '#lib/ground/http/answer.server'
import type { Exchange } from '#lib/ground/http/exchange.server'

/*
 * Only full exports are compressed (docs/api/responses.md, "Compression"). Small answers gain nothing, and compressing a secret beside text of the
 * client's choice reveals the secret (CVE-2013-3587).
 */

/** RFC 9110 §12.5.3: the codings that a client names, each true unless its q is 0. */
export const namedCodings = (accepted: string | null | undefined): ReadonlyMap<string, boolean> =>
  new Map(
    (accepted ?? '').split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((each) => each.startsWith('q='))
      return [coding, quality === undefined || Number(quality.slice(2)) > 0] as const
    }),
  )

/** Without the header nothing is compressed. */
function takesGzip(accepted: string | null): boolean {
  const codings = namedCodings(accepted)
  return codings.get('gzip') ?? codings.get('x-gzip') ?? codings.get('*') ?? false
}

/** Compresses the body as a stream, if the client accepts gzip. Each chunk is flushed at once and none is buffered. */
export function compressed(
  body: string | ReadableStream<Uint8Array>,
  request: Exchange,
  headers: AnswerHeaders,
): string | ReadableStream<Uint8Array> {
  headers.append('vary', 'Accept-Encoding')
  // Under next dev, which sets no route, Next removes the Content-Encoding header.
  const isServedByNext = request.route === undefined
  if (isServedByNext || !takesGzip(request.headers.get('accept-encoding'))) return body
  headers.set('content-encoding', 'gzip')
  const source = typeof body === 'string' ? Readable.from([body]) : Readable.fromWeb(body as WebStream)
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
  // pipeline() closes both ends. Errors reach the reader of the response through the stream.
  pipeline(source, gzip, () => {})
  return Readable.toWeb(gzip) as ReadableStream<Uint8Array>
}
