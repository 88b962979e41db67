/** Cc: control characters. Cf, Zl, Zp: formats, among them those that turn the direction of text. Co: private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\u{2800}]/u

/** True if the text has an invisible character, or one that changes the direction of text. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text)

/** UAX #31, table 5: the scripts in everyday use. Those of rare use, such as Cherokee, have letters that look like Latin ones. */
const scripts = [
  ...['Arab', 'Armn', 'Beng', 'Bopo', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hang', 'Hani'],
  ...['Hebr', 'Hira', 'Kana', 'Khmr', 'Knda', 'Laoo', 'Latn', 'Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu'],
  ...['Thaa', 'Thai', 'Tibt'],
]

/** UTS #39 §5.2, highly restrictive: one script, or one of these mixtures. */
const mixtures = [
  ...scripts.map((script) => [script]),
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
]

/** Digits, punctuation and symbols belong to all scripts. */
const classOf = (names: readonly string[]): string =>
  ['Zyyy', 'Zinh', ...names].map((name) => `\\p{Script_Extensions=${name}}`).join('')

const EVERYDAY = new RegExp(`^[${classOf(scripts)}]*$`, 'u')
const allowed = mixtures.map((names) => new RegExp(`^[${classOf(names)}]*$`, 'u'))

/**
 * Combining marks as UTS #39 §5.4 and §3.1.1 see them, in NFC: on a letter that its own script writes without such marks, on no letter, the
 * same one twice, or more than four.
 */
const MARKS =
  /(?=\p{M})[\p{Script_Extensions=Latn}\p{Script_Extensions=Grek}\p{Script_Extensions=Cyrl}\p{Script_Extensions=Zyyy}\p{Script_Extensions=Zinh}]|\p{Me}|(?:^|[^\p{L}\p{M}])\p{M}|(\p{Mn})\1|\p{Mn}{5}/u

/** Why a new nick is refused, or undefined if it is valid. A unique index (`nick_identity`) refuses nicks that look alike. */
export function nickProblem(nick: string): string | undefined {
  // RFC 7617 §2: in Basic the nick ends at the first colon, so a user with a colon in the nick could not sign in.
  if (/[:\t\r\n]/.test(nick)) return 'must not contain a colon, tab or line break'
  if (hasUnseen(nick)) return 'must not contain control or invisible characters'
  if (nick !== nick.trim()) return 'must not begin or end with a space'
  const composed = nick.normalize('NFC')
  if (MARKS.test(composed)) return 'must not contain combining marks'
  if (!EVERYDAY.test(composed)) return 'must not contain letters of a rare script'
  return allowed.some((letters) => letters.test(composed))
    ? undefined
    : 'must not mix letters of different scripts'
}
