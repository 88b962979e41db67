import { randomUUID } from 'node:crypto'

const generated = new WeakMap<Request, string>()

/** A client's own request id is accepted if it is short and printable. */
export const isRequestId = (id: string): boolean => /^[\x21-\x7e]{1,128}$/.test(id)

/** The client's request id, or a generated one that stays the same for this request. */
export function requestIdOf(request: Request): string {
  const sent = request.headers.get('x-request-id') ?? ''
  if (isRequestId(sent)) return sent
  const id = generated.get(request) ?? randomUUID()
  generated.set(request, id)
  return id
}
