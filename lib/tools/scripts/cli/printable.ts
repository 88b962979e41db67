import type { Terminal } from '#lib/tools/scripts/cli/outcome'

/*
 * Names come from other people. A terminal obeys control characters (C0, DEL, C1), and bidirectional controls show text in another order
 * than it has (UAX #9, CVE-2021-42574).
 */

const unsafe = /[\p{Cc}\p{Bidi_C}]/gu
const unsafeInLines = /(?!\n)[\p{Cc}\p{Bidi_C}]/gu

/** One line: a name with a line break could forge the next one. */
export const printable = (text: string): string => text.replaceAll(unsafe, '�')

const printableLines = (text: string): string => text.replaceAll(/\r\n/g, '\n').replaceAll(unsafeInLines, '�')

/** JSON stays JSON (RFC 8259 §7), wherever it goes: outside of strings there is nothing to escape. */
export const printableJson = (json: string): string =>
  json.replaceAll(unsafeInLines, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The terminal for data of the API: makes everything printable that is not yet. A file gets CSV unchanged. */
export const guarded = (terminal: Terminal): Terminal => ({
  ...terminal,
  write: (text) =>
    terminal.write(
      terminal.isTTY ? printableLines(typeof text === 'string' ? text : Buffer.from(text).toString()) : text,
    ),
  tell: (text) => terminal.tell(printableLines(text)),
  ...(terminal.progress && { progress: (text) => terminal.progress?.(printable(text)) }),
  ask: (question, kind) => terminal.ask(printable(question), kind),
})
