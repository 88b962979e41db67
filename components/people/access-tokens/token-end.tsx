import { useFormatter, useTranslations } from 'use-intl'
import type { FieldKind, InputProps } from '#components/base/forms/declared-form'
import { useDates } from '#components/base/forms/use-dates'
import { DateField } from '#components/kit/date-field'
import { Select } from '#components/kit/select'

/** The choices for the end, in days from now. */
const lifetimes = [7, 30, 90, 180, 365] as const

const DAY = 24 * 60 * 60 * 1000

/** A number of days from now, or a day such as 2027-01-31, which is empty at first. */
type End = (typeof lifetimes)[number] | string

const endAfter = (days: number): Date => new Date(Date.now() + days * DAY)

/** Whether a token may end on this day, in the time zone of the user: today or later, within a year. */
export const isPossibleEnd = (day: string): boolean => {
  const end = lastOf(day).getTime()
  return end > Date.now() && end <= Date.now() + 366 * DAY
}

const lastOf = (day: string): Date => new Date(`${day}T23:59:59.999`)

/** When a token ends: within a month, unless the user chooses otherwise. An impossible day is sent as an empty text, which is refused. */
export const tokenEnd: FieldKind<End, string> = {
  Input: EndInput,
  empty: 30,
  send: (end) => {
    if (typeof end === 'number') return endAfter(end).toISOString()
    return isPossibleEnd(end) ? lastOf(end).toISOString() : ''
  },
}

const OTHER = 'other'

function EndInput({ label, hint, error, value, onChange }: InputProps<End>) {
  const say = useTranslations('accessTokens.form')
  const format = useFormatter()
  const dates = useDates()
  const choices = lifetimes.map((days) => ({
    value: String(days),
    text: say('days', { days }),
    about: format.dateTime(endAfter(days), { dateStyle: 'long' }),
  }))
  const isDay = typeof value === 'string'
  return (
    <>
      <Select
        label={label}
        hint={hint}
        error={!isDay && error}
        options={[...choices, { value: OTHER, text: say('otherDay') }]}
        value={isDay ? OTHER : String(value)}
        onChange={(chosen) => onChange(lifetimes.find((days) => String(days) === chosen) ?? '')}
      />
      {isDay && (
        <DateField
          {...dates}
          label={say('otherDay')}
          error={error}
          value={value}
          isPossible={isPossibleEnd}
          onChange={onChange}
        />
      )}
    </>
  )
}
