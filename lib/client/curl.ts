import type { Call } from '#lib/client/calls'
import { isSecretName } from '#lib/http/secrets'

/* A request as a command for a POSIX shell (IEEE 1003.1, "Quoting"): nothing within single quotes is special. */

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** `oldPassword` is `OLD_PASSWORD`. */
const variableOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

// Two characters for private use, which mark the place of a variable while the text is quoted.
const [BEGIN, END] = ['\uE000', '\uE001']
const marked = /\uE000([A-Z_]+)\uE001/g

const withoutSecret = (name: string, value: unknown): unknown =>
  isSecretName(name) && typeof value === 'string' && value !== ''
    ? `${BEGIN}${variableOf(name)}${END}`
    : value

function dataOf(body: unknown): string {
  if (body instanceof URLSearchParams) return quote(body.toString())
  return quote(JSON.stringify(body, withoutSecret, 2)).replace(marked, `'"$$$1"'`)
}

/** Brackets and braces would mean several addresses to curl. */
const addressOf = (origin: string, address: string): string =>
  origin + address.replace(/[[\]{}]/g, encodeURIComponent)

/** The headers that concern only the console: how long the user was idle, and the key of an opened form. */
const isOfConsole = (name: string): boolean => /^(x-user-idle|idempotency-key)$/i.test(name)

/** The request as a curl command. The token and the secrets in the body are variables of the shell. */
export function curlOf({ method, address, headers, body }: Call, origin: string): string {
  const sent = Object.entries(headers).filter(([name]) => !isOfConsole(name))
  return [
    `curl ${quote(addressOf(origin, address))}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    '-H "Authorization: Token $API_TOKEN"',
    ...sent.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body instanceof Blob ? ['--data-binary @FILE'] : []),
    ...(body === undefined || body instanceof Blob ? [] : [`--data-raw ${dataOf(body)}`]),
  ].join(' \\\n  ')
}
