import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { momentText } from '#components/base/screens/moments'
import { DateField } from '#components/kit/date-field'
import { dayOf, timeOfDay } from '#components/kit/days'
import type { FieldKind, InputProps } from './declared-form'
import { useDates } from './use-dates'

type Typed = { date: string; time: string }

/** A moment of the API as it is read, or what is typed, `2026-11-30T23:59` in the user's time zone with either part empty. */
function typedOf(value: string): Typed {
  const then = new Date(value)
  if (value.endsWith('Z')) return { date: dayOf(then), time: timeOfDay(then) }
  const [date = '', time = ''] = value.split('T')
  return { date, time }
}

const LAST_MINUTE = '23:59'

/** A chosen day ends with its last minute, unless another time is typed. */
export const typedEnd = ({ date, time }: Typed, before: string): string => {
  if (date === '' && time === '') return ''
  return `${date}T${time === '' && before === '' ? LAST_MINUTE : time}`
}

/** What is no moment is sent as it is, and refused. */
export function sentEnd(value: string): string {
  const time = Date.parse(value.endsWith('T') ? `${value}${LAST_MINUTE}` : value)
  return value === '' || value.startsWith('T') || Number.isNaN(time) ? value : new Date(time).toISOString()
}

/** When a resource ends by itself; empty: never. An end that nobody edits keeps its milliseconds. */
export const end: FieldKind<string> = {
  Input: EndField,
  empty: '',
  read: ({ ends }: { ends?: string }) => ends ?? '',
  send: sentEnd,
  Text: ({ value }) => {
    const format = useFormatter()
    const never = useTranslations('ends')('never')
    const sent = sentEnd(value)
    return sent.endsWith('Z') ? momentText(format, sent) : value || never
  },
}

type EndFieldProps = Pick<InputProps<string>, 'label' | 'value' | 'onChange'> &
  Partial<Pick<InputProps<string>, 'hint' | 'error'>>

export function EndField({ label, hint, error, value, onChange }: EndFieldProps) {
  const say = useTranslations('ends')
  const zone = useTimeZone() ?? 'UTC'
  const { date, time } = typedOf(value)
  return (
    <DateField
      {...useDates()}
      label={label}
      hint={hint || say('hint', { zone: zone.replaceAll('_', ' ') })}
      error={error}
      value={date}
      isPossible={(day) => day >= dayOf(new Date())}
      time={{
        label: say('time'),
        value: time,
        onChange: (next) => onChange(typedEnd({ date, time: next }, value)),
      }}
      onChange={(next) => onChange(typedEnd({ date: next, time }, value))}
    />
  )
}
