import { type Authenticated, actsByGrant } from '#lib/caller/auth/strategy.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { isPublic, isSecretName } from '#lib/ground/http/secrets'
import type { Segments, WriteSpec } from '#lib/request/pipeline/spec.server'

/** A secret is a text or a list of texts. Other values may have the same field name. */
const holdsSecret = (view: object, [name, value]: [string, unknown]): boolean =>
  isSecretName(name) && !isPublic(view, name) && (typeof value === 'string' || Array.isArray(value))

/** A program that acts by a grant sees no secret, not even a new one (docs/api.md, "Programs and own account"). */
export function shownTo(authenticated: Authenticated, result: unknown): unknown {
  if (!actsByGrant(authenticated) || typeof result !== 'object' || result === null) return result
  const fields = Object.entries(result)
  return fields.some((field) => holdsSecret(result, field))
    ? Object.fromEntries(fields.filter((field) => !holdsSecret(result, field)))
    : result
}

/** Whether the `user` of the path is the caller. */
export const namesCaller = ({ caller }: Pick<Authenticated, 'caller'>, segments: Segments): boolean =>
  Number(segments.user) === caller.id

/**
 * A program that acts by a grant changes no account settings of its own user, whatever its privileges (docs/api.md, "Programs and own
 * account"). An operation that does not declare `ownAccount` is refused too. Throws GEN-15.
 */
export function requireOutsideOwnAccount(
  { ownAccount }: Partial<WriteSpec['who']>,
  authenticated: Authenticated,
  segments: Segments,
): void {
  if (!actsByGrant(authenticated)) return
  const isOutside = ownAccount === 'never' || ownAccount === 'whenCaller'
  if (isOutside && !namesCaller(authenticated, segments)) return
  throw new ApiError(
    fault('GEN-15', 'A program that acts by a grant cannot change its user’s account or make access tokens'),
  )
}
