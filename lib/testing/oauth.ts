import { createHash, createHmac, createSign, type KeyObject } from 'node:crypto'
import OAuth from 'oauth-1.0a'
import { call, expectStatus, ORIGIN, type User } from '#lib/testing/client'

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

export type Token = { key: string; secret: string }

type Signing = {
  method?: 'HMAC-SHA1' | 'HMAC-SHA256' | 'RSA-SHA1' | 'RSA-SHA256' | 'PLAINTEXT'
  privateKey?: KeyObject
}

/** A client that is not ours, with the signatures that it leaves to its user. */
export const clientOf = (
  { apiKey, apiSecret }: Pick<Application, 'apiKey' | 'apiSecret'>,
  { method = 'HMAC-SHA1', privateKey }: Signing = {},
): OAuth => {
  const hash = method.endsWith('256') ? 'sha256' : 'sha1'
  return new OAuth({
    consumer: { key: apiKey, secret: apiSecret },
    signature_method: method,
    ...(method !== 'PLAINTEXT' && {
      hash_function: (base: string, key: string) =>
        privateKey
          ? createSign(hash).update(base).sign(privateKey, 'base64')
          : createHmac(hash, key).update(base).digest('base64'),
    }),
    body_hash_function: (data: string) => createHash('sha1').update(data).digest('base64'),
  })
}

type Sending = {
  token?: Token
  data?: Record<string, string>
  extra?: Record<string, string>
  client?: OAuth
}

/** The Authorization header that the client makes for a request. */
export function authorizationOf(
  application: Pick<Application, 'apiKey' | 'apiSecret'>,
  method: string,
  path: string,
  { token, data, client = clientOf(application) }: Sending = {},
): string {
  const url = path.startsWith('http') ? path : ORIGIN + path
  const { Authorization } = client.toHeader(client.authorize({ url, method, data }, token))
  return Authorization
}

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

export const tokenIn = (form: string): Token => {
  const values = new URLSearchParams(form)
  return { key: values.get('oauth_token') ?? '', secret: values.get('oauth_token_secret') ?? '' }
}

/** The user lets the application act for him, by his credentials. Gives the verifier. */
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
