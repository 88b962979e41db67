import { type ApiProcess, ask } from '#lib/tools/testing/api-process'
import type { Console } from '#lib/tools/testing/cluster/consoles'
import type { Outcome } from '#lib/tools/testing/cluster/history'

/* One request to one console, and the conclusion that a client may draw from its answer. */

/** Milliseconds after which a client gives up. */
const PATIENCE = 8000

type Document = {
  id?: number
  location?: string
  collection?: { id: number; name?: string; ip?: string; code?: string; quarantine?: boolean }[]
  totalSize?: number
  total?: number
  changed?: number
}

export type Answer = { status: number; outcome: Outcome; document: Document; etag?: string; codes?: string }

export type Sent = { path: string; method?: string; body?: object; key?: string; match?: string }

/** After a 503, another server error or no answer, a change may have taken effect. */
const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'ok'
  return status === 0 || status >= 500 ? 'unknown' : 'fail'
}

/** Sends as the owner of this access token. */
export async function send(
  to: Console,
  token: string,
  { path, method, body, key, match }: Sent,
): Promise<Answer> {
  const { url } = to
  if (url === undefined) return { status: 0, outcome: 'fail', document: {} }
  const headers = {
    authorization: `Bearer ${token}`,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(match !== undefined && { 'if-match': match }),
  }
  try {
    const question = { headers, ...(body && { body }), signal: AbortSignal.timeout(PATIENCE) }
    const answer = await ask({ url } satisfies Pick<ApiProcess, 'url'>, path, question, method)
    const text = await answer.text()
    const document = (text === '' ? {} : JSON.parse(text)) as Document
    const etag = answer.headers.get('etag')
    const outcome = outcomeOf(answer.status)
    const codes = outcome === 'ok' ? undefined : document.collection?.map(({ code }) => code).join()
    return { status: answer.status, outcome, document, ...(etag && { etag }), ...(codes && { codes }) }
  } catch {
    return { status: 0, outcome: 'unknown', document: {} }
  }
}
