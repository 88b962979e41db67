// Without letters and digits that are taken for each other.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 20

/** A password that nobody guesses and everybody can type: about 99 bits in groups of five, or more where it must be longer. */
export function makeUpPassword(least: number): string {
  const length = Math.max(LENGTH, least)
  const made: string[] = []
  while (made.length < length) {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
    // Each letter as likely as any other.
    const letter = letters[random % 32]
    if (letter !== undefined) made.push(letter)
  }
  return made.join('').replace(/(.{5})(?=.)/g, '$1-')
}
