/** What is wrong with a phone whose clock is so many seconds ahead; negative: behind. */
export function clockHint(offset: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(offset) / 60))
  const amount = `${minutes} minute${minutes === 1 ? '' : 's'} ${offset > 0 ? 'ahead' : 'behind'}`
  return `The clock of your phone is about ${amount}. Let it set its time by itself, then try the next code.`
}
