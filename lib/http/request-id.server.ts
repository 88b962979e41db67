import { randomUUID } from 'node:crypto'

const made = new WeakMap<Request, string>()

/** An id that a request brings is taken where it is short and printable. */
export const isRequestId = (given: string): boolean => /^[\x21-\x7e]{1,128}$/.test(given)

/** The request's own id; else one that is made for it and stays the same. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id') ?? ''
  if (isRequestId(given)) return given
  const id = made.get(request) ?? randomUUID()
  made.set(request, id)
  return id
}
