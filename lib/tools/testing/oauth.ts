import type OAuth from 'oauth-1.0a'
import { call, expectStatus, ORIGIN, type User } from '#lib/tools/testing/client'
import {
  authorizationOf as authorizationFor,
  type Program,
  type Sending,
  type Token,
  tokenIn,
} from '#lib/tools/testing/oauth-client'

export type Application = {
  id: number
  apiKey: string
  apiSecret: string
  links: { rel: string; href: string; title?: string }[]
}

/** Registers an application for oneself. */
export const register = (as: User & { id: number }, fields: object = {}): Promise<Application> =>
  expectStatus(
    201,
    call('POST', `/api/admin/enterprises/_/users/${as.id}/applications`, {
      as,
      body: { name: 'Robot', ...fields },
    }),
  )

/** The Authorization header for a request to the tests' address, or to a whole one. */
export const authorizationOf = (program: Program, method: string, path: string, sending?: Sending): string =>
  authorizationFor(program, method, path.startsWith('http') ? path : ORIGIN + path, sending)

/** Asks for a request token. */
export async function requestToken(
  application: Application,
  callback = 'oob',
  client?: OAuth,
): Promise<Token> {
  const path = '/oauth/request_token'
  const authorization = authorizationOf(application, 'POST', path, {
    data: { oauth_callback: callback },
    ...(client && { client }),
  })
  return tokenIn(await expectStatus(200, call('POST', path, { as: null, headers: { authorization } })))
}

/** The user authorizes the application with their credentials. Returns the verifier. */
export async function authorize(as: User, { key }: Token): Promise<string> {
  const response = await call('GET', `/oauth/authorize?oauth_token=${key}`, { as })
  if (response.status !== 302) throw new Error(`not authorized: ${response.status}`)
  return (response.headers.get('location') ?? '').split('oauth_verifier=')[1] ?? ''
}

export async function accessToken(
  application: Application,
  token: Token,
  verifier: string,
  client?: OAuth,
): Promise<Response> {
  const path = '/oauth/access_token'
  const authorization = authorizationOf(application, 'POST', path, {
    token,
    data: { oauth_verifier: verifier },
    ...(client && { client }),
  })
  return call('POST', path, { as: null, headers: { authorization } })
}

/** The whole dance: an access token of the user for the application. */
export async function connect(application: Application, as: User, client?: OAuth): Promise<Token> {
  const token = await requestToken(application, 'oob', client)
  const verifier = await authorize(as, token)
  return tokenIn(await expectStatus(200, accessToken(application, token, verifier, client)))
}

/** Calls an operation, signed by the application with an access token. */
export const signedCall = (
  application: Application,
  token: Token,
  method: string,
  path: string,
  { client, ...options }: { body?: unknown; headers?: Record<string, string>; client?: OAuth } = {},
): Promise<Response> => {
  const authorization = authorizationOf(application, method, path, { token, ...(client && { client }) })
  return call(method, path, { as: null, ...options, headers: { ...options.headers, authorization } })
}
