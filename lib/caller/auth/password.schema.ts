import { z } from 'zod'
import { text } from '#lib/ground/http/input.schema'
import { PASSWORD_LENGTH } from '#lib/ground/password-length'

const NEW_PASSWORD = 'x-new-password'

/**
 * A new password. Where the server validates documents, it also checks each field of this schema against the rules of the installation
 * (`password-rules.server.ts`).
 */
export const password = text(0, PASSWORD_LENGTH.most).meta({
  minLength: PASSWORD_LENGTH.least,
  description:
    'At least 12 characters, or as many as the setting PASSWORD_MIN_LENGTH requires; no common password, no name of this installation, and not the nick',
  [NEW_PASSWORD]: true,
})

export const isNewPassword = (schema: z.ZodType): boolean =>
  schema.meta()?.[NEW_PASSWORD] === true ||
  (schema instanceof z.ZodOptional && isNewPassword(schema.unwrap() as z.ZodType))

/** Up to this many digits and signs around a word make it no harder to guess. */
const DECORATION = 6

const decoration = new RegExp(`^[^\\p{L}]{0,${DECORATION}}$`, 'u')

/** Whether the password is this word, in any case, with a few digits or signs before or behind it. */
export function isDecorated(password: string, word: string): boolean {
  const at = word === '' ? -1 : password.indexOf(word)
  if (at < 0) return false
  const [before, behind] = [password.slice(0, at), password.slice(at + word.length)]
  return decoration.test(before) && decoration.test(behind) && before.length + behind.length <= DECORATION
}

export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase()

/** Whether the password is the nick, or the nick with digits or signs beside it: attackers try these first. */
export const isNick = (password: string, nick: string): boolean =>
  isDecorated(foldPassword(password), foldPassword(nick))

export const NOT_THE_NICK = 'must not be the nick, nor the nick with digits or signs beside it'
