import type { Privilege } from '#lib/caller/auth/privileges'
import { call, expectStatus, newUser, type User, unique } from '#lib/tools/testing/client'
import { newRole, userBody, usersOf } from '#lib/tools/testing/identity'

export const tokensOf = ({ id }: { id: number }): string => `${usersOf('_')}/${id}/tokens`

export type AccessToken = { id: number; token: string; name: string; links: { rel: string; href: string }[] }

/** An access token of this user, created by the user themselves, or by `as`. */
export const newAccessToken = (
  user: User & { id: number },
  fields: object = {},
  as: User = user,
): Promise<AccessToken> =>
  expectStatus(201, call('POST', tokensOf(user), { as, body: { name: unique('Token'), ...fields } }))

export const withToken = (token: string, scheme = 'Token') => ({ authorization: `${scheme} ${token}` })

/** The status of a request with this token. */
export const statusBy = async (
  token: string,
  { path = '/api/login', scheme = 'Token', from = '127.0.0.1' } = {},
) => (await call('GET', path, { as: null, headers: withToken(token, scheme), from })).status

type Wanted = { privileges?: readonly Privilege[]; enterpriseId?: number; fields?: object }

/** A service account, and a user of its enterprise who manages it and holds every privilege. */
export async function newServiceAccount({
  privileges = ['VDC_ENUMERATE'],
  enterpriseId,
  fields,
}: Wanted = {}) {
  const manager = await newUser(enterpriseId === undefined ? {} : { enterpriseId })
  const { password: _none, ...body } = userBody({ role: await newRole({ privileges }), ...fields })
  const path = usersOf(manager.enterpriseId)
  const account = await expectStatus(
    201,
    call('POST', path, { as: manager, body: { ...body, authType: 'SERVICE' } }),
  )
  return { account: account as { id: number; nick: string; links: AccessToken['links'] }, manager }
}
