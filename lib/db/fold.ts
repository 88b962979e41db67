/** Folds text for search and order: case is ignored, beyond ASCII too, and both engines see the same bytes. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase()

/** A LIKE pattern (escape character `\`) that finds the text literally, anywhere, in a folded column. */
export const containing = (text: string): string => `%${fold(text).replace(/[\\%_]/g, '\\$&')}%`
