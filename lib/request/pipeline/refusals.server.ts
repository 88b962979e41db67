import type { z } from 'zod'
import { kindNamed } from '#lib/caller/kinds/kinds'
import { allErrorCodes, type ErrorCode } from '#lib/ground/http/errors'
import { linkRules } from '#lib/ground/http/input.schema'
import { creates, type Described, formsOf, type Operation } from '#lib/request/pipeline/spec.server'

const constraints = allErrorCodes.filter((code) => code.startsWith('CONSTR-'))

/** Every error code of the operation: the declared ones, and those that follow from its declaration. */
export function refusalsOf(spec: Described, { method, path }: { method: string; path: string }): ErrorCode[] {
  const codes: ErrorCode[] = ['GEN-13', 'GEN-22', '503-UNAVAILABLE', ...(spec.refuses ?? [])]
  for (const { takes } of formsOf(spec)) {
    if (!takes) continue
    codes.push('GEN-3', '413-PAYLOAD-TOO-LARGE', '415-UNSUPPORTED-MEDIA-TYPE')
    codes.push(...constraints, ...linkRefusals(takes.body))
  }
  const isStream = spec.kind !== 'open' && spec.answers?.stream !== undefined
  if (isStream || !['text/plain', undefined].includes(spec.answers?.as)) codes.push('406-NOT-ACCEPTABLE')
  if (spec.kind !== 'open' && spec.answers?.oneOf) codes.push('406-NOT-ACCEPTABLE')
  if (spec.kind === 'open') {
    codes.push('413-PAYLOAD-TOO-LARGE')
    return distinct(spec.takes ? [...codes, '403-FORBIDDEN', '429-TOO-MANY-REQUESTS'] : codes)
  }
  codes.push('401-UNAUTHORIZED', '403-FORBIDDEN', '2FA-9', 'SIGN-IN-5', 'SEE-AS-2', '429-TOO-MANY-REQUESTS')
  // For programs that act by a grant.
  if (spec.kind === 'writes' && spec.who.ownAccount !== 'never') codes.push('GEN-15')
  if (spec.kind === 'writes' || spec.who.inConsole || spec.who.ownAccount) codes.push('SEE-AS-1')
  if (spec.who.proof) codes.push('SIGN-IN-6')
  // For a malformed OAuth Authorization header.
  codes.push('OAUTH-0')
  const ids = Object.values(spec.target?.ids ?? {})
  if (ids.length > 0) codes.push('GEN-1', ...ids)
  if (spec.asOf) codes.push('ASOF-1', 'ASOF-2')
  if (spec.query && 'by' in spec.query.shape) codes.push('QUERY-0')
  if (spec.takes) codes.push(creates(spec, method) ? 'GEN-11' : 'GEN-16')
  if (isConditional(spec, method)) codes.push('412-PRECONDITION-FAILED')
  if (takesIdempotencyKey(method, path)) {
    codes.push('IDEMPOTENCY-1', 'IDEMPOTENCY-2', 'IDEMPOTENCY-3')
    // For a repeated request after the resource was deleted.
    const kind = kindNamed(spec.answers?.as ?? '')
    if (kind) codes.push(kind.missing)
  }
  return distinct(codes)
}

/** True if the operation takes an Idempotency-Key. */
export const takesIdempotencyKey = (method: string, path: string): boolean =>
  method === 'POST' &&
  /\/api\/((admin|cloud)\/|plans\/?$|plans\/[^/]+\/action\/apply\/?$|events\/[^/]+\/action\/undo\/?$)/.test(
    path,
  )

/** True if the operation compares If-Match with the current state of the resource. */
export const isConditional = ({ kind, target }: Operation, method: string): boolean =>
  kind === 'writes' && method !== 'POST' && target?.view !== undefined

const distinct = (codes: ErrorCode[]): ErrorCode[] => [...new Set(codes)].sort()

function linkRefusals(body: z.ZodObject): ErrorCode[] {
  const links = body.shape.links as z.ZodType | undefined
  const rules = links && linkRules.get(links)?.rules
  if (!rules) return []
  const own = Object.values(rules).flatMap(({ missing, wrong }) => [missing, wrong])
  return ['LINK-0', 'LINK-1', 'GEN-1', 'GEN-6', ...own.filter((code) => code !== undefined)]
}
