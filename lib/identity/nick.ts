/** Cc: control characters. Cf, Zl, Zp: formats, among them those that turn the direction of text. Co: private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u{2800}]/u

/**
 * Why this cannot be a nick, or undefined if it can. Whoever creates a user asks this. That no other user has one that looks alike is the
 * database's business (`nick_identity`).
 */
export function nickProblem(nick: string): string | undefined {
  // Basic takes the first colon for the end of the nick (RFC 7617 §2): with one in it nobody could sign in.
  if (/[:\t\r\n]/.test(nick)) return 'must not contain a colon, tab or line break'
  if (UNSEEN.test(nick)) return 'must not contain control or invisible characters'
  return nick === nick.trim() ? undefined : 'must not begin or end with a space'
}
