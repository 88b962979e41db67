// Without letters and digits that are taken for each other.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 5

/** A password that nobody guesses and everybody can type: about 99 bits in groups of five. */
export function makeUpPassword(): string {
  const made: string[] = []
  while (made.length < groups * groupLength) {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1))
    // Each letter as likely as any other.
    const letter = letters[random % 32]
    if (letter !== undefined) made.push(letter)
  }
  return made.join('').replace(/(.{5})(?=.)/g, '$1-')
}
