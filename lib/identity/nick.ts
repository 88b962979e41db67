/** Cc: control characters. Cf, Zl, Zp: formats, among them those that turn the direction of text. Co: private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u{2800}]/u

/** Why a new nick is refused, or undefined if it is valid. A unique index (`nick_identity`) refuses nicks that look alike. */
export function nickProblem(nick: string): string | undefined {
  // RFC 7617 §2: in Basic the nick ends at the first colon, so a user with a colon in the nick could not sign in.
  if (/[:\t\r\n]/.test(nick)) return 'must not contain a colon, tab or line break'
  if (UNSEEN.test(nick)) return 'must not contain control or invisible characters'
  return nick === nick.trim() ? undefined : 'must not begin or end with a space'
}
