import type { Say } from '#lib/words/words'

/** Apps show codes with a gap, and people type what they see: `123 456` → `123456`. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '')

/** What an authenticator app shows, or a mail brings. */
export const isFreshCode = (code: string): boolean => /^\d{6}$/.test(code)

/** One of the codes that were kept at the enrolment. */
export const isScratchCode = (code: string): boolean => /^\d{8}$/.test(code)

export const isAnyCode = (code: string): boolean => isFreshCode(code) || isScratchCode(code)

/** What is wrong with a phone whose clock is so many seconds ahead; negative: behind. */
export const clockHint = (say: Say<'common.clock'>, offset: number): string =>
  say(offset > 0 ? 'ahead' : 'behind', { minutes: Math.max(1, Math.round(Math.abs(offset) / 60)) })
