import { createRequire } from 'node:module'
import { z } from 'zod'
import { foldPassword, isDecorated, isNewPassword, isNick, NOT_THE_NICK } from '#lib/auth/password.schema'
import { env } from '#lib/env.server'
import { type Fault, fault } from '#lib/http/errors'
import { PASSWORD_LENGTH } from '#lib/password-length'

/* Rules for new passwords. NIST SP 800-63B §3.1.1.2: length, common passwords, the user name. */

type Common = typeof import('@zxcvbn-ts/language-common')

let list: string | undefined

/**
 * Some 50,000 passwords from leaks, in lower case, a line each. Loaded with the first new password, which is rare: as a set they took
 * ten times the memory.
 */
function commonPasswords(): string {
  if (list === undefined) {
    const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as Common
    list = `\n${dictionary['passwords-common'].map(foldPassword).join('\n')}\n`
  }
  return list
}

const PRODUCT = 'Cloud management console'
/** Shorter words are too short for a password, and part of too many. */
const SHORTEST_WORD = 4

/** Names of this installation, and their words, which an attacker would try (docs/security.md, "Guessing"). */
function namesOfInstallation(): Set<string> {
  const { VENDOR, REALM, TWO_FACTOR_ISSUER, BASE_URL } = env()
  const host = BASE_URL ? new URL(BASE_URL).hostname : ''
  const words = [PRODUCT, VENDOR, REALM, TWO_FACTOR_ISSUER, host].flatMap((name) => {
    const parts = name.split(/[^\p{L}\p{N}]+/u)
    return [name, parts.join(''), ...parts]
  })
  return new Set(words.map(foldPassword).filter(({ length }) => length >= SHORTEST_WORD))
}

/** The shortest text whose repetition gives this text: the text itself if it repeats nothing. */
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

/** Whether it is a common password or a name of this installation: in any case, repeated, or with a few digits or signs before or behind it. */
export function isCommon(password: string): boolean {
  const folded = foldPassword(password)
  const word = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return isListed(folded) || (isDecorated(folded, word) && isListed(word))
}

/** Why this cannot be the new password of this user, or undefined if it can. */
export function passwordFault(
  password: string,
  nick: string | undefined,
  name = 'password',
): Fault | undefined {
  const { PASSWORD_MIN_LENGTH: least } = env()
  const { length } = [...password]
  // The schema refuses it already.
  if (length > PASSWORD_LENGTH.most) return undefined
  if (length < least)
    return fault('CONSTR-LENGTH', `${name}: must have ${least} to ${PASSWORD_LENGTH.most} characters`)
  if (nick !== undefined && isNick(password, nick)) return fault('CONSTR-PATTERN', `${name}: ${NOT_THE_NICK}`)
  return isCommon(password)
    ? fault(
        'CONSTR-PATTERN',
        `${name}: is a common password or a name of this installation, which is tried first`,
      )
    : undefined
}

/** The faults of the new passwords in a document; its nick is theirs. */
export function newPasswordFaults(schema: z.ZodType, document: unknown): Fault[] {
  if (!(schema instanceof z.ZodObject) || typeof document !== 'object' || document === null) return []
  const { nick, ...fields } = document as Record<string, unknown>
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = fields[name]
    if (typeof value !== 'string' || !isNewPassword(field as z.ZodType)) return []
    return passwordFault(value, typeof nick === 'string' ? nick : undefined, name) ?? []
  })
}
