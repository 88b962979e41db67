/** A time that is counted down: `27 seconds`, `1:05 minutes`. A screen reader does not read out each of them. */
export const Seconds = ({ left }: { left: number }) => <span aria-live="off">{inWords(left)}</span>

const inWords = (seconds: number): string =>
  seconds < 60
    ? `${seconds} second${seconds === 1 ? '' : 's'}`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`
