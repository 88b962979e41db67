import { LightResponse } from '#lib/ground/http/light-response.server'
/* Responses without a body. They are never cached. */

/** Redirects the browser: by GET (303), or with the same method (302). */
export function redirect(
  location: string,
  { status = 303, headers = new Headers() }: { status?: 302 | 303; headers?: Headers } = {},
): Response {
  headers.set('location', location)
  headers.set('cache-control', 'no-store')
  headers.set('content-length', '0')
  return new LightResponse(null, { status, headers })
}

export const noContent = (): Response =>
  new LightResponse(null, { status: 204, headers: { 'cache-control': 'no-store' } })
