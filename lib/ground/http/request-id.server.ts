import { randomUUID } from 'node:crypto'
import type { Exchange } from '#lib/ground/http/exchange.server'

/** A client's own request id is accepted if it is short and printable. */
export const isRequestId = (id: string): boolean => /^[\x21-\x7e]{1,128}$/.test(id)

/** The client's request id, or a generated one that stays the same for this request. */
export function requestIdOf(request: Exchange): string {
  const sent = request.headers.get('x-request-id') ?? ''
  if (isRequestId(sent)) return sent
  request.id ??= randomUUID()
  return request.id
}
