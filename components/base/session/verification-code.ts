import type { Say } from '#lib/words/words'

/** Apps show codes with a gap, which people type too: `123 456` → `123456`. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '')

/** A code from an authenticator app or a mail. */
export const isFreshCode = (code: string): boolean => /^\d{6}$/.test(code)

/** The same, or a scratch code of eight digits. */
export const isAnyCode = (code: string): boolean => /^(\d{6}|\d{8})$/.test(code)

/** The hint for a phone whose clock is this many seconds ahead, or behind if negative. */
export const clockHint = (say: Say<'common.clock'>, offset: number): string =>
  say(offset > 0 ? 'ahead' : 'behind', { minutes: Math.max(1, Math.round(Math.abs(offset) / 60)) })
