import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { momentText } from '#components/base/screens/moments'
import { DateField } from '#components/kit/date-field'
import { dayOf } from '#components/kit/days'
import type { FieldKind, InputProps } from './declared-form'
import { sentEnd, typedEnd, typedOf } from './ends-text'
import { useDates } from './use-dates'

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
