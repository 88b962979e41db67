import { createHash, createHmac, createSign, type KeyObject } from 'node:crypto'
import OAuth from 'oauth-1.0a'

/** The keys with which a program signs. */
export type Program = { apiKey: string; apiSecret: string }

export type Token = { key: string; secret: string }

type Signing = {
  method?: 'HMAC-SHA1' | 'HMAC-SHA256' | 'RSA-SHA1' | 'RSA-SHA256' | 'PLAINTEXT'
  privateKey?: KeyObject
}

/** A client that is not ours, with the signatures that it leaves to its user. */
export const clientOf = (
  { apiKey, apiSecret }: Program,
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

export type Sending = {
  token?: Token
  data?: Record<string, string>
  extra?: Record<string, string>
  client?: OAuth
}

/** The Authorization header that the client makes for a request. */
export function authorizationOf(
  application: Program,
  method: string,
  url: string,
  { token, data, client = clientOf(application) }: Sending = {},
): string {
  const { Authorization } = client.toHeader(client.authorize({ url, method, data }, token))
  return Authorization
}

export const tokenIn = (form: string): Token => {
  const values = new URLSearchParams(form)
  return { key: values.get('oauth_token') ?? '', secret: values.get('oauth_token_secret') ?? '' }
}
