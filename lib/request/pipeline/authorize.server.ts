import { type Caller, can } from '#lib/caller/auth/privileges'
import type { Authenticated } from '#lib/caller/auth/strategy.server'
import { Unauthorized } from '#lib/caller/auth/unauthorized'
import { pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { ApiError } from '#lib/ground/http/errors'
import { requireOutsideOwnAccount, requireOutsideView } from '#lib/request/pipeline/own-account.server'
import type { Operation, Segments, Spec } from '#lib/request/pipeline/spec.server'

/** Throws the refusal of a caller who may not use the operation on the resources in the path. */
export function authorize(spec: Operation, authenticated: Authenticated, segments: Segments): void {
  requireNoDuty(spec.who, authenticated)
  requireOutsideView(spec, authenticated, segments)
  if (spec.kind === 'writes') requireOutsideOwnAccount(spec.who, authenticated, segments)
  const isElsewhere = spec.who.inConsole && !authenticated.inConsole
  if (isElsewhere || !isGranted(spec.who, authenticated.caller, segments)) throw new ApiError('403-FORBIDDEN')
}

/** True if the caller has the privileges, or the path names their own user or enterprise. */
export function isGranted(
  { anyOf, alsoAnyOf, orOwn }: Spec['who'],
  caller: Caller,
  segments: Segments,
): boolean {
  if (alsoAnyOf && !can(caller, alsoAnyOf)) return false
  if (anyOf === 'user' || can(caller, anyOf)) return true
  const own = { user: caller.id, enterprise: caller.enterpriseId }
  return orOwn !== undefined && Number(segments[orOwn]) === own[orOwn]
}

/** Users who must first change their password or set up two factor authentication can do nothing else. */
function requireNoDuty(
  { despiteDuty }: Spec['who'],
  { caller, inConsole, duty, proof }: Authenticated,
): void {
  if (!duty || despiteDuty === 'anywhere') return
  const bySession = proof !== 'sent'
  if (despiteDuty === 'inSession' && bySession) return
  if (despiteDuty === 'inConsole' && inConsole) return
  if (duty === 'changePassword') throw new ApiError('SIGN-IN-5')
  if (bySession) throw new ApiError('2FA-9')
  const enrolAt = `${pathOf(kinds.user, { enterprise: caller.enterpriseId, id: caller.id })}/action/enable2fa`
  throw new Unauthorized({ schemes: ['Basic'], codeRequired: { type: 'none' }, enrolAt })
}
