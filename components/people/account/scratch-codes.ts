import type { Say } from '#lib/words/words'

/** The account and installation of the codes, for users with several accounts. */
type ScratchCodeOwner = { issuer: string; account: string; host: string }

/** `day`: when the codes were created. */
export type DatedCodes = { owner: ScratchCodeOwner; codes: readonly string[]; day: string }

type SayCodes = Say<'account.scratchCodes'>

/** One code a line, each with its number: `1. 12345678`. */
export const numberedCodes = (codes: readonly string[]): string[] =>
  codes.map((code, index) => `${String(index + 1).padStart(2)}. ${code}`)

const issuerOf = ({ issuer, host }: ScratchCodeOwner): string => issuer || host

export const whoseCodes = (say: SayCodes, owner: ScratchCodeOwner): string =>
  say('whose', { account: owner.account, place: issuerOf(owner) })

/** The day of the codes, and the host if the issuer names the place. */
export const sinceWhen = (say: SayCodes, { issuer, host }: ScratchCodeOwner, day: string): string =>
  issuer ? say('since', { host, day }) : day

/** The text of the downloaded file. */
export const scratchCodeText = (say: SayCodes, { owner, codes, day }: DatedCodes): string =>
  [
    say('titleOf', { account: owner.account, place: issuerOf(owner) }),
    sinceWhen(say, owner, day),
    '',
    ...numberedCodes(codes),
    '',
    say('once'),
    say('keepFile'),
    '',
  ].join('\n')

/** A name valid in every file system: `scratch-codes-my-cloud-ana.txt`. */
export const scratchCodeFileName = (say: SayCodes, owner: ScratchCodeOwner): string =>
  `${[say('title'), issuerOf(owner), owner.account].map(slug).filter(Boolean).join('-')}.txt`

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Whether a text contains every code, with or without gaps in them. */
export function holdsEveryCode(text: string, codes: readonly string[]): boolean {
  const digits = text.replace(/[ \t-]/g, '')
  return codes.length > 0 && codes.every((code) => digits.includes(code))
}

/** A longer file is not read: it cannot be the one with the codes. */
const LONGEST_FILE = 1_000_000

export const readCodesFile = async (file: File): Promise<string> =>
  file.size > LONGEST_FILE ? '' : await file.text()
