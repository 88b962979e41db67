/** Where the codes belong to; people keep the codes of several places. */
export type ScratchCodeOwner = { issuer: string; account: string; host: string }

/** The text of the file that is kept: whose codes, since when, what for, one code a line. */
export const scratchCodeText = (owner: ScratchCodeOwner, codes: readonly string[], day: string): string =>
  [
    `Scratch codes of ${owner.account} at ${owner.issuer || owner.host}`,
    `${owner.host}, ${day}`,
    '',
    ...codes,
    '',
    'Each code works once, in place of the code of the authenticator app.',
    'Keep them where nobody else can read them, and not only on the phone with the app.',
    '',
  ].join('\n')

/** A name that every file system takes: `scratch-codes-my-cloud-ana.txt`. */
export const scratchCodeFileName = (owner: ScratchCodeOwner): string =>
  `${['scratch-codes', owner.issuer || owner.host, owner.account].map(slug).filter(Boolean).join('-')}.txt`

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
