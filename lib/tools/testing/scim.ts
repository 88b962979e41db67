import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { newAccessToken } from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newUser, unique } from '#lib/tools/testing/client'

const SCIM = '/scim/v2'
const TYPE = 'application/scim+json'

const message = (name: string) => `urn:ietf:params:scim:api:messages:2.0:${name}`
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

type Sent = { body?: unknown; headers?: Record<string, string> }
type Answer = ReturnType<typeof JSON.parse>

/** A directory that provisions with an access token, in an enterprise of its own unless `person` names one. */
export async function newDirectory(
  person: Parameters<typeof newUser>[0] = {},
  privileges: readonly Privilege[] = allPrivileges,
) {
  const user = await newUser(person)
  const { token, id: tokenId } = await newAccessToken(user, { privileges })
  const send = (method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Response> =>
    call(method, SCIM + path, {
      as: null,
      body,
      headers: { authorization: `Bearer ${token}`, accept: TYPE, 'content-type': TYPE, ...headers },
    })
  const expectFrom = (status: number, method: string, path: string, sent: Sent = {}): Promise<Answer> =>
    expectStatus(status, send(method, path, sent))
  /** The status and the scimType of a refusal. */
  const refused = async (method: string, path: string, sent: Sent = {}) => {
    const answer = await send(method, path, sent)
    const { status, scimType } = (await answer.json()) as { status: string; scimType?: string }
    return [answer.status, Number(status) === answer.status && scimType]
  }
  const create = (fields: object = {}): Promise<Answer> =>
    expectFrom(201, 'POST', '/Users', {
      body: { schemas: [USER_SCHEMA], userName: unique('scim').replace(' ', '-'), ...fields },
    })
  const patch = (path: string, ...Operations: object[]) =>
    send('PATCH', path, { body: patchOf(...Operations) })
  const found = async (path: string, filter: string): Promise<string[]> => {
    const query = `?filter=${encodeURIComponent(filter)}`
    const { Resources } = await expectFrom(200, 'GET', path + query)
    return Resources.map(({ id }: { id: string }) => id)
  }
  return { user, token, tokenId, send, expectFrom, refused, create, patch, found }
}

export type Directory = Awaited<ReturnType<typeof newDirectory>>

export const patchOf = (...Operations: object[]) => ({ schemas: [message('PatchOp')], Operations })

export const searchOf = (fields: object) => ({ schemas: [message('SearchRequest')], ...fields })
