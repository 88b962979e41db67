import { call, expectStatus, newEnterprise, type User } from '#lib/tools/testing/client'
import { newRole, userBody, usersOf } from '#lib/tools/testing/identity'

export const tokenIn = (link: string): string => link.split('/invitation#')[1] ?? ''

type Invited = { enterpriseId?: number; as?: User } & Record<string, unknown>

/** Invites a user through the front door, by a link. Returns their document, its path, and the token of the link. */
export async function newInvitation({ enterpriseId, as, ...fields }: Invited = {}) {
  const enterprise = enterpriseId ?? (await newEnterprise()).id
  const body = userBody({ role: await newRole(), invite: 'link', ...fields, password: undefined })
  const { invitation, ...document } = await expectStatus(
    201,
    call('POST', usersOf(enterprise), { body, ...(as && { as }) }),
  )
  return { document, path: `${usersOf('_')}/${document.id}`, token: tokenIn(invitation ?? '') }
}

/** Answers an invitation. */
export const accept = (token: string, answer: object, headers: Record<string, string> = {}) =>
  call('PUT', '/api/session/invitation', { as: null, body: { token, ...answer }, headers })
