import type { IncomingMessage, ServerResponse } from 'node:http'

/** Headers of a request, by names in any case. Values of a repeated header are joined. */
export type SentHeaders = {
  get: (name: string) => string | null
  has: (name: string) => boolean
  keys: () => Iterable<string>
}

type Sent = {
  method: string
  /** The absolute address, with path and query as sent. */
  url: string
  headers: SentHeaders
  body?: AsyncIterable<Uint8Array> | null
  /** The address at the other end of the connection. Unknown under `next dev`. */
  peer?: string | undefined
  isReceived?: () => boolean
}

/** A request of the API. What is found out about it is kept here, so that it is found out once. */
export class Exchange implements Sent {
  readonly method: string
  readonly url: string
  readonly headers: SentHeaders
  readonly body: AsyncIterable<Uint8Array> | null
  readonly peer: string | undefined
  /** Whether its whole body is here. */
  readonly isReceived: () => boolean
  /** The pattern of its route, as its file spells it; undefined under Next. */
  route?: string
  /** Its answer waits by design, for news or for a long change: metrics keep its time apart. */
  waits?: true
  /** The base of links in its answer. */
  base?: string
  /** Its id in logs and events. */
  id?: string
  /** The address, parsed. Callers must not change it. */
  parsed?: URL
  /** The size limit of its body. */
  largest?: number
  /** Its body, read to the end. */
  read?: Promise<Buffer>
  /** The caller's password and whether the one in it is correct. */
  oldPassword?: Promise<{ stored: string; correct: boolean }>
  readonly #signal: () => AbortSignal

  constructor(
    { method, url, headers, body = null, peer, isReceived = () => false }: Sent,
    signal: () => AbortSignal = neverAborted,
  ) {
    this.method = method
    this.url = url
    this.headers = headers
    this.body = body
    this.peer = peer
    this.isReceived = isReceived
    this.#signal = signal
  }

  /** Aborted when the client leaves before the answer has been sent. */
  get signal(): AbortSignal {
    return this.#signal()
  }
}

const neverAborted = (): AbortSignal => new AbortController().signal

/** Node keeps the first of some headers that are sent twice. Here none is ignored: a proxy might have checked another one. */
class NodeHeaders implements SentHeaders {
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }

  get(name: string): string | null {
    const wanted = name.toLowerCase()
    // The front server has checked the Host, and names this server's own where there is none.
    if (wanted === 'host') return this.#incoming.headers.host ?? null
    const values = this.#incoming.headersDistinct[wanted]
    return (values?.length === 1 ? values[0] : values?.join(wanted === 'cookie' ? '; ' : ', ')) ?? null
  }

  has(name: string): boolean {
    return this.get(name) !== null
  }

  keys(): Iterable<string> {
    return Object.keys(this.#incoming.headersDistinct)
  }
}

/** Whether a body follows the head of the request (RFC 9112 §6.3). */
export const sendsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The exchange of a request to Node's HTTP server. */
export function exchangeOn(incoming: IncomingMessage, outgoing: ServerResponse, peer: string): Exchange {
  const { method = 'GET', headers, url = '/' } = incoming
  let gone: AbortController | undefined
  const signal = () => {
    if (gone) return gone.signal
    const left = new AbortController()
    gone = left
    const leave = () => outgoing.writableFinished || left.abort()
    if (outgoing.closed) leave()
    else outgoing.once('close', leave)
    return left.signal
  }
  return new Exchange(
    {
      method,
      url: `http://${headers.host}${url}`,
      headers: new NodeHeaders(incoming),
      // An operation that stops reading still answers, so the connection stays open.
      body: sendsBody(incoming)
        ? { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) }
        : null,
      peer,
      isReceived: () => incoming.complete,
    },
    signal,
  )
}

/** The exchange of a Request: route files under `next dev`, and tests. */
export const exchangeOf = (request: Request, peer?: string): Exchange =>
  new Exchange(
    { method: request.method, url: request.url, headers: request.headers, body: request.body, peer },
    () => request.signal,
  )
