import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'

export type HeaderLine = readonly [name: string, value: string]

/** Headers of an answer: each value that is set or appended is a line of its own. Node checks what it sends. */
export class AnswerHeaders {
  #lines: HeaderLine[]

  /** Their names are in lower case. */
  constructor(lines: readonly HeaderLine[] = []) {
    this.#lines = [...lines]
  }

  append(name: string, value: string): void {
    this.#lines.push([name.toLowerCase(), value])
  }

  set(name: string, value: string): void {
    if (this.has(name)) this.delete(name)
    this.append(name, value)
  }

  delete(name: string): void {
    const unwanted = name.toLowerCase()
    this.#lines = this.#lines.filter(([other]) => other !== unwanted)
  }

  get(name: string): string | undefined {
    const wanted = name.toLowerCase()
    for (const [other, value] of this.#lines) if (other === wanted) return value
    return undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  lines(): readonly HeaderLine[] {
    return this.#lines
  }
}

export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array> | null

/** An answer of the API. */
export type Answer = { status: number; headers: AnswerHeaders; body: AnswerBody }

export const answerOf = (
  body: AnswerBody,
  { status = 200, headers = {} }: { status?: number; headers?: AnswerHeaders | Record<string, string> } = {},
): Answer => ({
  status,
  headers: headers instanceof AnswerHeaders ? headers : new AnswerHeaders(Object.entries(headers)),
  body,
})

/** Without its body, for HEAD. */
export async function withoutBody({ status, headers, body }: Answer): Promise<Answer> {
  if (body instanceof ReadableStream) await body.cancel()
  return { status, headers, body: null }
}

/** The answer as a Response: for Next, and for tests. */
export const responseOf = ({ status, headers, body }: Answer): Response =>
  new Response(body as BodyInit | null, { status, headers: headers.lines().map(([...line]) => line) })

/** Sends the answer. If a stream breaks off, so does the connection: the client must notice. */
export function send({ status, headers, body }: Answer, outgoing: ServerResponse): void {
  const lines: string[] = []
  for (const [name, value] of headers.lines()) lines.push(name, value)
  const isStream = body instanceof ReadableStream
  // The client has left: nothing would read the stream, and end what it holds.
  if (isStream && outgoing.closed) {
    body.cancel().catch(() => {})
    return
  }
  if (body !== null && !isStream && !headers.has('content-length'))
    lines.push('content-length', String(Buffer.byteLength(body)))
  outgoing.writeHead(status, lines)
  if (isStream) {
    // The first message of a stream of events may come late.
    outgoing.flushHeaders()
    const source = Readable.fromWeb(body as WebStream)
    source.once('error', () => outgoing.destroy())
    outgoing.once('close', () => source.destroy())
    // pipeline() would add so many listeners that Node warns of a leak.
    source.pipe(outgoing)
  } else outgoing.end(body ?? undefined)
}

/** Time (ms) and bytes in which the rest of a body that nobody has read may arrive, before its connection is closed. */
const REST = { time: 500, bytes: 64 * 1024 * 1024 }

/** Reads on after the answer, so that the client gets it and can use the connection again. */
export function drain(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return
  let bytes = 0
  const close = () => incoming.socket.destroySoon()
  const timer = setTimeout(close, REST.time).unref()
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > REST.bytes) close()
  })
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}
