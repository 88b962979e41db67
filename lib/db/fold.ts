/** Folds text for search and order: case is ignored, beyond ASCII too, and both engines see the same bytes. */
export const fold = (text: string): string =>
  // A capital sigma is written differently at the end of a word: it must be found in the middle of one too.
  text.normalize('NFC').toLowerCase().replaceAll('\u03c2', '\u03c3')

/** A LIKE pattern (escape character `\`) that finds the text literally, anywhere, in a folded column. */
export const containing = (text: string): string => `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`

/**
 * Nicks that look alike have the same key: full-width letters and ligatures count as their plain ones (NFKC), case is ignored (`ß` is
 * `ss`), what is invisible is left out, and any run of white space is one space. Letters of different scripts that look alike stay different.
 */
export const lookAlikeKey = (nick: string): string =>
  fold(nick.normalize('NFKC').toUpperCase())
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
