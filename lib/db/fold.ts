/** Folds text for search and order. Ignores case, also beyond ASCII, and gives both engines the same bytes. */
export const fold = (text: string): string =>
  // Lower case of a capital sigma depends on its position in the word, so both forms must match.
  text.normalize('NFC').toLowerCase().replaceAll('\u03c2', '\u03c3')

/** Folds text for the natural order, in which 2 precedes 10: every run of digits is padded to the same length. */
export const naturalKey = (text: string): string =>
  fold(text).replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(15, '0'))

/** A LIKE pattern (escape character `\`) that finds the text literally, anywhere, in a folded column. */
export const containing = (text: string): string => `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`

/**
 * Nicks that look alike have the same key. Full-width letters and ligatures become plain ones (NFKC), case is ignored (`ß` is `ss`),
 * invisible characters are removed, and runs of white space become one space. Similar letters of different scripts stay different.
 */
export const lookAlikeKey = (nick: string): string =>
  fold(nick.normalize('NFKC').toUpperCase())
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
