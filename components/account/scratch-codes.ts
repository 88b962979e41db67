/** Where the codes belong to; people keep the codes of several places. */
export type ScratchCodeOwner = { issuer: string; account: string; host: string }

/** One code a line, each with its number: `1. 12345678`. */
export const numberedCodes = (codes: readonly string[]): string[] =>
  codes.map((code, index) => `${String(index + 1).padStart(2)}. ${code}`)

/** Whose codes, and where; then since when. */
export const originLines = ({ issuer, account, host }: ScratchCodeOwner, day: string): [string, string] => [
  `${account} at ${issuer || host}`,
  issuer ? `${host}, ${day}` : day,
]

/** The text of the file that is kept: whose codes, since when, what for. */
export function scratchCodeText(owner: ScratchCodeOwner, codes: readonly string[], day: string): string {
  const [whose, since] = originLines(owner, day)
  return [
    `Scratch codes of ${whose}`,
    since,
    '',
    ...numberedCodes(codes),
    '',
    'Each code works once, in place of the usual verification code.',
    'Keep them where nobody else can read them, and not only on the phone or in the mailbox that your usual codes come from.',
    '',
  ].join('\n')
}

/** A name that every file system takes: `scratch-codes-my-cloud-ana.txt`. */
export const scratchCodeFileName = (owner: ScratchCodeOwner): string =>
  `${['scratch-codes', owner.issuer || owner.host, owner.account].map(slug).filter(Boolean).join('-')}.txt`

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
