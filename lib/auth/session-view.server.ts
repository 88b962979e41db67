import { isPasswordOn } from '#lib/auth/modes.server'
import type { SessionDocument } from '#lib/auth/session.schema'
import { lifeOf } from '#lib/auth/sessions.server'
import type { Authenticated } from '#lib/auth/strategy.server'
import { offeredProviders, twoFactorState } from '#lib/auth/two-factor.server'
import { database } from '#lib/db/db.server'
import { env } from '#lib/env.server'
import { codeHeader } from '#lib/http/names.server'
import { link } from '#lib/http/view'

export type SessionOf = Pick<Authenticated, 'caller' | 'session' | 'duty'>

/** Who is signed in, what he may, and for how long. */
export async function readSession(
  request: Request,
  { caller, session, duty }: SessionOf,
): Promise<SessionDocument> {
  const user = await database()
    .read.selectFrom('users')
    .innerJoin('enterprises', 'enterprises.id', 'users.enterprise_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .innerJoin('scopes', (join) => join.on('scopes.id', '=', caller.scope.id))
    .leftJoin('session_providers', (join) => join.on('session_providers.chain', '=', session.id))
    .where('users.id', '=', caller.id)
    .select(['users.name', 'users.surname', 'users.email', 'users.locale', 'users.role_id'])
    .select(['enterprises.name as enterprise_name', 'roles.name as role_name', 'scopes.name as scope_name'])
    .select(['enterprises.two_factor_mandatory', 'users.auth_type', 'session_providers.provider'])
    .executeTakeFirstOrThrow()
  const { provider: twoFactorProvider, scratchCodesLeft, beganBy } = await twoFactorState(caller.id)
  return {
    links: [
      link('user', `/admin/enterprises/${caller.enterpriseId}/users/${caller.id}`, 'user', caller.nick),
    ],
    id: caller.id,
    nick: caller.nick,
    name: user.name,
    surname: user.surname,
    email: user.email,
    locale: user.locale,
    enterprise: { id: caller.enterpriseId, name: user.enterprise_name },
    role: { id: user.role_id, name: user.role_name },
    scope: { ...caller.scope, name: user.scope_name },
    privileges: [...caller.privileges].sort(),
    ...(twoFactorProvider && { twoFactorProvider }),
    codeHeader: codeHeader(),
    twoFactorProviders: offeredProviders(),
    mustEnableTwoFactor:
      user.two_factor_mandatory === 1 &&
      user.provider === null &&
      (twoFactorProvider === undefined || beganBy !== null),
    canTakeBack: beganBy === session.id,
    scratchCodesLeft,
    ...((user.provider === 'OPENID' || user.provider === 'SAML') && { provider: user.provider }),
    hasPassword: user.auth_type === 'LOCAL' && isPasswordOn(),
    mustChangePassword: duty === 'changePassword',
    passwordMinLength: env().PASSWORD_MIN_LENGTH,
    ...(await lifeOf(request, session)),
  }
}
