import { createRequire } from 'node:module'
import { z } from 'zod'
import {
  foldPassword,
  isDecorated,
  isNewPassword,
  isNick,
  NOT_THE_NICK,
} from '#lib/caller/auth/password.schema'
import { env } from '#lib/ground/env.server'
import { type Fault, fieldFault } from '#lib/ground/http/errors'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'

/* Rules for new passwords. NIST SP 800-63B §3.1.1.2: length, common passwords, the user name. */

type Common = typeof import('@zxcvbn-ts/language-common')

let list: string | undefined

/**
 * About 50,000 leaked passwords in lower case, one per line. Loaded when the first new password is checked. A set of them would take ten
 * times the memory.
 */
function commonPasswords(): string {
  if (list === undefined) {
    const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as Common
    list = `\n${dictionary['passwords-common'].map(foldPassword).join('\n')}\n`
  }
  return list
}

const PRODUCT = 'Cloud management console'
/** Shorter words occur in too many good passwords. */
const SHORTEST_WORD = 4

/** The names of this installation and the words in them, which attackers try first (docs/security.md, "Guessing"). */
function namesOfInstallation(): Set<string> {
  const { VENDOR, REALM, PRODUCT_NAME, TWO_FACTOR_ISSUER, BASE_URL } = env()
  const host = BASE_URL ? new URL(BASE_URL).hostname : ''
  const words = [PRODUCT, PRODUCT_NAME, VENDOR, REALM, TWO_FACTOR_ISSUER, host].flatMap((name) => {
    const parts = name.split(/[^\p{L}\p{N}]+/u)
    return [name, parts.join(''), ...parts]
  })
  return new Set(words.map(foldPassword).filter(({ length }) => length >= SHORTEST_WORD))
}

/** The shortest text that gives this text when repeated; the text itself if nothing repeats. */
function repeatedPiece(text: string): string {
  const next = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, next)
}

const REPEATED = 3

/** Whether the text, or the piece that it repeats, is a known word, or the piece has at most three characters. */
function isListed(text: string): boolean {
  const [common, names, piece] = [commonPasswords(), namesOfInstallation(), repeatedPiece(text)]
  const isKnown = (word: string) =>
    names.has(word) || (!word.includes('\n') && common.includes(`\n${word}\n`))
  return isKnown(text) || (piece !== text && (isKnown(piece) || piece.length <= REPEATED))
}

/** Whether the password is a common one or a name of this installation, in any case, repeated, or with a few digits or signs around it. */
export function isCommon(password: string): boolean {
  const folded = foldPassword(password)
  const word = folded.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  return isListed(folded) || (isDecorated(folded, word) && isListed(word))
}

/** Why the password is refused for this user, or undefined if it is accepted. */
export function passwordFault(
  password: string,
  nick: string | undefined,
  name = 'password',
): Fault | undefined {
  const { PASSWORD_MIN_LENGTH: least } = env()
  const { length } = [...password]
  // The schema refuses longer passwords.
  if (length > PASSWORD_LENGTH.most) return undefined
  if (length < least)
    return fieldFault('CONSTR-LENGTH', name, `must have ${least} to ${PASSWORD_LENGTH.most} characters`)
  if (nick !== undefined && isNick(password, nick)) return fieldFault('CONSTR-PATTERN', name, NOT_THE_NICK)
  return isCommon(password)
    ? fieldFault(
        'CONSTR-PATTERN',
        name,
        'is a common password or a name of this installation, which attackers try first',
      )
    : undefined
}

/** The faults of the new passwords in a document, checked against the nick in the same document. */
export function newPasswordFaults(schema: z.ZodType, document: unknown): Fault[] {
  if (!(schema instanceof z.ZodObject) || typeof document !== 'object' || document === null) return []
  const { nick, ...fields } = document as Record<string, unknown>
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = fields[name]
    if (typeof value !== 'string' || !isNewPassword(field as z.ZodType)) return []
    return passwordFault(value, typeof nick === 'string' ? nick : undefined, name) ?? []
  })
}
