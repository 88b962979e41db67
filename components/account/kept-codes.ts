/** Does the text of a file hold every one of the codes, with or without gaps in them? */
export function holdsEveryCode(text: string, codes: readonly string[]): boolean {
  const digits = text.replace(/[ \t-]/g, '')
  return codes.length > 0 && codes.every((code) => digits.includes(code))
}

/** No file of ten codes is that long; a film is not read to find that out. */
const LONGEST_FILE = 1_000_000

export const readKeptFile = async (file: File): Promise<string> =>
  file.size > LONGEST_FILE ? '' : await file.text()
