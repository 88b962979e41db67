import type { Say } from '#lib/words/words'

/** What is wrong with a phone whose clock is so many seconds ahead; negative: behind. */
export const clockHint = (say: Say<'common.clock'>, offset: number): string =>
  say(offset > 0 ? 'ahead' : 'behind', { minutes: Math.max(1, Math.round(Math.abs(offset) / 60)) })
