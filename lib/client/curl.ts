import type { Call } from '#lib/client/calls'
import { isSecretName } from '#lib/ground/http/secrets'

/* A request as a command for a POSIX shell (IEEE 1003.1, "Quoting"): nothing within single quotes is special. */

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** `oldPassword` is `OLD_PASSWORD`. */
const variableOf = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

/** Quotes a text; variables of the shell stay unquoted. */
type Piece = { text: string } | { variable: string }

const isSecret = (name: string, value: unknown): value is string =>
  isSecretName(name) && typeof value === 'string' && value !== ''

/** Characters that a terminal obeys or that do not show are escaped. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) =>
    Array.from(
      { length: letter.length },
      (_, index) => `\\u${letter.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

/** The document as indented JSON, in pieces: its secrets are variables. */
function piecesOf(value: unknown, indent = '\n'): Piece[] {
  if (typeof value !== 'object' || value === null) return [{ text: jsonOf(value) }]
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const within = `${indent}  `
  const members = Object.entries(value)
  if (members.length === 0) return [{ text: `${open}${close}` }]
  const pieces = members.flatMap(([name, member], index): Piece[] => [
    { text: `${index === 0 ? '' : ','}${within}${Array.isArray(value) ? '' : `${jsonOf(name)}: `}` },
    ...(isSecret(name, member)
      ? [{ text: '"' }, { variable: variableOf(name) }, { text: '"' }]
      : piecesOf(member, within)),
  ])
  return [{ text: open ?? '' }, ...pieces, { text: `${indent}${close}` }]
}

/** Texts between variables are quoted together. */
function quoted(pieces: readonly Piece[]): string {
  let shown = ''
  let text = ''
  for (const piece of pieces) {
    if ('text' in piece) text += piece.text
    else {
      shown += `${quote(text)}"$${piece.variable}"`
      text = ''
    }
  }
  return shown + quote(text)
}

const dataOf = (body: unknown): string =>
  body instanceof URLSearchParams
    ? quote(body.toString())
    : quoted(piecesOf(JSON.parse(JSON.stringify(body))))

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
