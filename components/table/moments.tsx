import { useFormatter } from 'use-intl'

type Format = Pick<ReturnType<typeof useFormatter>, 'dateTime' | 'relativeTime'>

const MINUTE = 60_000

/** `2 hours ago`. Clocks differ a little: what lies ahead is now, like the last minute. */
export const timeAgo = (format: Format, moment: Date, now: Date): string =>
  format.relativeTime(now.getTime() - moment.getTime() < MINUTE ? now : moment, now)

/** `Nov 21, 2026, 7:05 AM`, where the reader is. */
export const exactTime = (format: Format, at: string): string =>
  format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })

export function ExactTime({ at }: { at: string }) {
  const format = useFormatter()
  return <time dateTime={at}>{exactTime(format, at)}</time>
}

/** How long ago it was, at the time when it was asked for; when exactly on demand. */
export function TimeAgo({ at, now }: { at: string; now: Date }) {
  const format = useFormatter()
  return (
    <time dateTime={at} title={exactTime(format, at)}>
      {timeAgo(format, new Date(at), now)}
    </time>
  )
}
