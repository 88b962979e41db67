import { useFormatter, useTranslations } from 'use-intl'
import { useDates } from '#components/base/forms/use-dates'
import { DateRange, type RangeEnds } from '#components/kit/date-range'
import { dayOf, timeOfDay } from '#components/kit/days'
import { type Period, periodOf, textOf } from './period'

type PeriodPickerProps = { period: Period | undefined; onChange: (period: Period | undefined) => void }

const usual = [
  { amount: 1, unit: 'hour' },
  { amount: 1, unit: 'day' },
  { amount: 7, unit: 'day' },
  { amount: 30, unit: 'day' },
  { amount: 1, unit: 'year' },
] as const

/** Filters events by time: the last hours or days, or from one time to another. */
export function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  const say = useTranslations('events.period')
  const format = useFormatter()
  const { locale, words } = useDates()
  const spans =
    period?.kind === 'last' && !usual.some((span) => textOf(span) === textOf(period.span))
      ? [period.span, ...usual]
      : usual
  const nameOf = ({ amount, unit }: (typeof spans)[number]) => say(`last.${unit}`, { amount })
  const { from, to } = momentsOf(period)
  return (
    <DateRange
      label={say('label')}
      text={
        period &&
        (period.kind === 'last'
          ? nameOf(period.span)
          : format.dateTimeRange(from, to, { dateStyle: 'medium', timeStyle: 'short' }))
      }
      spans={spans.map((span) => ({ value: textOf(span), text: nameOf(span) }))}
      span={period?.kind === 'last' ? textOf(period.span) : undefined}
      ends={{
        from: { day: dayOf(from), time: timeOfDay(from) },
        to: { day: dayOf(to), time: timeOfDay(to) },
      }}
      locale={locale}
      words={{
        ...words,
        any: say('any'),
        fromTo: say('fromTo'),
        from: say('from'),
        to: say('to'),
        time: say('time'),
        apply: say('apply'),
        clear: say('clear'),
      }}
      faultOf={(ends) => {
        const { from: first, to: last } = timesOf(ends)
        if (Number.isNaN(first) || Number.isNaN(last)) return say('incomplete')
        return last < first ? say('backwards') : undefined
      }}
      onChange={(chosen) => {
        if (!chosen) return onChange(undefined)
        if ('span' in chosen) return onChange(periodOf({ last: chosen.span }))
        const { from: first, to: last } = timesOf(chosen.ends)
        onChange({
          kind: 'between',
          from: new Date(first).toISOString(),
          to: new Date(last).toISOString(),
        })
      }}
    />
  )
}

/** An open start is 1 January 1970, an open end is now. Without a period they are today. */
function momentsOf(period: Period | undefined): { from: Date; to: Date } {
  const now = new Date()
  if (period?.kind !== 'between') return { from: new Date(new Date().setHours(0, 0, 0, 0)), to: now }
  return { from: new Date(period.from ?? 0), to: period.to === undefined ? now : new Date(period.to) }
}

/** An end without a time of day is the end of its day. */
const timesOf = ({ from, to }: RangeEnds) => ({
  from: Date.parse(`${from.day}T${from.time || '00:00'}`),
  to: Date.parse(`${to.day}T${to.time || '23:59:59.999'}`),
})
