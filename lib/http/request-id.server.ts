import { randomUUID } from 'node:crypto'

const made = new WeakMap<Request, string>()

/** The request's own id where it is short and printable; else one that is made for it and stays the same. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id') ?? ''
  if (/^[\x21-\x7e]{1,128}$/.test(given)) return given
  const id = made.get(request) ?? randomUUID()
  made.set(request, id)
  return id
}
