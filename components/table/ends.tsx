import { useFormatter, useTranslations } from 'use-intl'
import { exactTime } from '#components/base/screens/moments'
import { Mark } from '#components/table/cells'

const SOON = 14 * 24 * 60 * 60 * 1000

type EndsProps = { ends?: string | undefined; now?: Date }

/** `Ends in 3 days`, for what ends within two weeks, or should have ended by now. */
export function EndsSoon({ ends, now = new Date() }: EndsProps) {
  const say = useTranslations('ends')
  const format = useFormatter()
  const end = new Date(ends ?? '')
  if (!(end.getTime() - now.getTime() < SOON)) return null
  return (
    <time dateTime={ends} title={exactTime(format, end.toISOString())}>
      <Mark kind="warning">{say(end < now ? 'overdue' : 'in', { time: format.relativeTime(end, now) })}</Mark>
    </time>
  )
}

/** The end, and how soon it is. */
export function Ends({ ends }: Pick<EndsProps, 'ends'>) {
  const format = useFormatter()
  if (ends === undefined) return '–'
  return (
    <>
      <time dateTime={ends}>{exactTime(format, ends)}</time>
      <div>
        <EndsSoon ends={ends} />
      </div>
    </>
  )
}
