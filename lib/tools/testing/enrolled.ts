import { call, expectStatus, newUser, type User } from '#lib/tools/testing/client'
import { tokenOf } from '#lib/tools/testing/session'
import { secretOf } from '#lib/tools/testing/totp'

/** A user with an authenticator, and their key and codes; `token` is of the session that enabled it. */
export async function enrolled() {
  const user = await newUser({ privileges: [] })
  const path = `/api/admin/enterprises/_/users/${user.id}/action`
  const answer = await call('POST', `${path}/enable2fa`, { as: user, body: { type: 'APP_AUTHENTICATOR' } })
  const { authenticatorURL, scratchCodes } = await expectStatus(201, answer)
  const secret = secretOf(authenticatorURL)
  return { user, path, secret, scratchCodes: scratchCodes as string[], token: tokenOf(answer) }
}

/** GET login by Basic, with a code. */
export const withCode = (as: User, code: string): Promise<Response> =>
  call('GET', '/api/login', { as, headers: { 'x-service-otp': code } })
