import { dictionary } from '@zxcvbn-ts/language-common'
import { z } from 'zod'
import {
  foldPassword,
  isDecorated,
  isNewPassword,
  isNick,
  NOT_THE_NICK,
  PASSWORD_LENGTH,
} from '#lib/auth/password.schema'
import { env } from '#lib/env.server'
import { type Fault, fault } from '#lib/http/errors'

/* What makes a new password too easy to guess. NIST SP 800-63B §3.1.1.2: its length, common passwords, the user name. */

let list: Set<string> | undefined

/** Some 50,000 passwords from leaks, in lower case. */
const commonPasswords = (): Set<string> => {
  list ??= new Set(dictionary['passwords-common'].map(foldPassword))
  return list
}

/** The shortest piece of which the text is a repetition; a text that repeats nothing is its own. */
function repeatedPiece(text: string): string {
  const next = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, next)
}

const REPEATED = 3

/** Whether the text is on the list, or repeats what is there, or repeats one to three characters. */
function isListed(text: string): boolean {
  const [common, piece] = [commonPasswords(), repeatedPiece(text)]
  return common.has(text) || (piece !== text && (common.has(piece) || piece.length <= REPEATED))
}

/** Whether it is a common password: in any case, repeated, or with a few digits or signs before or behind it. */
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
    ? fault('CONSTR-PATTERN', `${name}: is a common password, which is tried first`)
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
