import { useFormatter } from 'use-intl'

type Format = Pick<ReturnType<typeof useFormatter>, 'dateTime' | 'relativeTime'>

const MINUTE = 60_000

/** `2 hours ago`. A moment in the future is shown as now, because clocks differ. */
export const timeAgo = (format: Format, moment: Date, now: Date): string =>
  format.relativeTime(now.getTime() - moment.getTime() < MINUTE ? now : moment, now)

/** `Nov 21, 2026, 7:05 AM`, in the time zone of the user. */
export const exactTime = (format: Format, at: string): string =>
  format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' })

/** `Nov 21, 2026, 7:05:12 AM UTC`, where the time zone and the second matter. */
export const momentText = (format: Format, at: string): string =>
  format.dateTime(new Date(at), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })

export function ExactTime({ at }: { at: string }) {
  const format = useFormatter()
  return <time dateTime={at}>{exactTime(format, at)}</time>
}

/** The time since `at`, as of `now`, with the exact time as its title. */
export function TimeAgo({ at, now }: { at: string; now: Date }) {
  const format = useFormatter()
  return (
    <time dateTime={at} title={exactTime(format, at)}>
      {timeAgo(format, new Date(at), now)}
    </time>
  )
}
