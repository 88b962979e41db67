import { type Answer, AnswerHeaders, answerOf } from '#lib/ground/http/answer.server'
/* Responses without a body. They are never cached. */

/** Redirects the browser: by GET (303), or with the same method (302). */
export function redirect(
  location: string,
  { status = 303, headers = new AnswerHeaders() }: { status?: 302 | 303; headers?: AnswerHeaders } = {},
): Answer {
  headers.set('location', location)
  headers.set('cache-control', 'no-store')
  headers.set('content-length', '0')
  return answerOf(null, { status, headers })
}

export const noContent = (): Answer =>
  answerOf(null, { status: 204, headers: { 'cache-control': 'no-store' } })
