import type { z } from 'zod'

/** The names of all fields that hold secrets. Events and lists never show a field with such a name. */
const secretNames = [
  'accessToken',
  'apiSecret',
  'authenticatorURL',
  'code',
  'invitation',
  'oauthToken',
  'oldPassword',
  'password',
  'refreshToken',
  'scratchCodes',
  'secret',
  'token',
] as const
type SecretName = (typeof secretNames)[number]

const names: ReadonlySet<string> = new Set(secretNames)

export const isSecretName = (name: string): boolean => names.has(name)

/** A field that holds a secret. Only the response to its own operation contains the value. */
export const secret = <Name extends SecretName, T extends z.ZodType>(name: Name, schema: T) =>
  ({ [name]: schema.meta({ format: 'password', 'x-secret': true }) }) as Record<Name, T>

/** The code of a finding, which has a severity, or of a job, which has an operation, is public: it is no verification code. */
export const isPublic = (view: object, name: string): boolean =>
  name === 'code' && ('severity' in view || 'operation' in view)

export const holdsSecret = (view: object): boolean =>
  secretNames.some((name) => name in view && !isPublic(view, name))

/** The fields of an item that a list may show. */
export function withoutSecrets<T extends object>(view: T): T {
  if (!holdsSecret(view)) return view
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.has(name))) as T
}

/** Fields with the address of a receiver, which may hold a secret in its path, query or user information. */
const addressNames: ReadonlySet<string> = new Set(['url'])

export const isAddressName = (name: string): boolean => addressNames.has(name)
