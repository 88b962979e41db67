import type { z } from 'zod'

/** The names of all fields that hold secrets. A field of such a name is in no event and in no list, whatever its document. */
const secretNames = [
  'accessToken',
  'apiSecret',
  'authenticatorURL',
  'code',
  'oauthToken',
  'oldPassword',
  'password',
  'refreshToken',
  'scratchCodes',
  'token',
] as const
type SecretName = (typeof secretNames)[number]

const names: ReadonlySet<string> = new Set(secretNames)

export const isSecretName = (name: string): boolean => names.has(name)

/** A field of a document that holds a secret: its value is in the answer to its operation, and nowhere else. */
export const secret = <Name extends SecretName, T extends z.ZodType>(name: Name, schema: T) =>
  ({ [name]: schema.meta({ format: 'password', 'x-secret': true }) }) as Record<Name, T>

export const isSecret = (schema: z.ZodType): boolean => schema.meta()?.['x-secret'] === true

export const holdsSecret = (view: object): boolean => secretNames.some((name) => name in view)

/** What a list may show of its item. */
export function withoutSecrets<T extends object>(view: T): T {
  if (!holdsSecret(view)) return view
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.has(name))) as T
}
