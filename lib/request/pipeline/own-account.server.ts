import { type Authenticated, actsByGrant } from '#lib/caller/auth/strategy.server'
import { ApiError, fault } from '#lib/ground/http/errors'
import { isPublic, isSecretName } from '#lib/ground/http/secrets'
import type { Operation, Segments, WriteSpec } from '#lib/request/pipeline/spec.server'

/** A secret is a text or a list of texts. Other values may have the same field name. */
const holdsSecret = (view: object, [name, value]: [string, unknown]): boolean =>
  isSecretName(name) && !isPublic(view, name) && (typeof value === 'string' || Array.isArray(value))

/** A program that acts by a grant, or the view of another user, shows no secret, not even a new one (docs/api/programs.md, "Programs and own account"). */
export function shownTo(authenticated: Authenticated, result: unknown): unknown {
  const isLimited = actsByGrant(authenticated) || authenticated.viewer !== undefined
  if (!isLimited || typeof result !== 'object' || result === null) return result
  const fields = Object.entries(result)
  return fields.some((field) => holdsSecret(result, field))
    ? Object.fromEntries(fields.filter((field) => !holdsSecret(result, field)))
    : result
}

/** Whether the `user` of the path is the caller. */
export const namesCaller = ({ caller }: Pick<Authenticated, 'caller'>, segments: Segments): boolean =>
  Number(segments.user) === caller.id

/**
 * A program that acts by a grant changes no account settings of its own user, whatever its privileges (docs/api/programs.md, "Programs and own
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

/**
 * In the view of another user nothing can be changed, and their account settings are not shown (docs/api/authorization.md, "See the console as another
 * user"). Throws SEE-AS-1.
 */
export function requireOutsideView(spec: Operation, authenticated: Authenticated, segments: Segments): void {
  if (!authenticated.viewer) return
  const { ownAccount, inConsole } = spec.who
  const isAccount =
    ownAccount === 'always' || (ownAccount === 'whenCaller' && namesCaller(authenticated, segments))
  if (spec.kind === 'writes' || inConsole || isAccount) throw new ApiError('SEE-AS-1')
}

/** The caller of the operation. In the view of another user, operations on the session act for the user who is signed in. */
export function actorOf({ who }: Operation, authenticated: Authenticated): Authenticated {
  const { viewer, ...rest } = authenticated
  return viewer && who.asSignedIn ? { ...rest, caller: viewer } : authenticated
}
