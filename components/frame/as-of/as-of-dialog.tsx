import DatePicker from '@cloudscape-design/components/date-picker'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TimeInput from '@cloudscape-design/components/time-input'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/base/forms/form-dialog'
import { momentOf } from '#lib/client/as-of'

const twoDigits = (number: number): string => String(number).padStart(2, '0')

const today = (now: Date): string =>
  `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`

/** Asks for the moment, in the caller's time zone. */
export function AsOfDialog({ onClose }: { onClose: () => void }) {
  const say = useTranslations('layout.asOf')
  const [search, setSearch] = useSearchParams()
  const [date, setDate] = useState(() => today(new Date()))
  const [time, setTime] = useState('00:00')
  const moment = momentOf(date, time, Date.now())
  const go = () => {
    if (moment === undefined) return
    const then = new URLSearchParams(search)
    then.set('asof', moment)
    setSearch(then)
    onClose()
  }
  return (
    <FormDialog
      visible
      header={say('title')}
      submit={{ label: say('show'), isDisabled: moment === undefined, disabledReason: say('none') }}
      onSubmit={go}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <div>{say('hint')}</div>
        <FormField label={say('date')}>
          <DatePicker
            value={date}
            onChange={({ detail }) => setDate(detail.value)}
            isDateEnabled={(day) => day.getTime() <= Date.now()}
            placeholder="YYYY/MM/DD"
          />
        </FormField>
        <FormField label={say('time')}>
          <TimeInput
            value={time}
            format="hh:mm"
            placeholder="hh:mm"
            onChange={({ detail }) => setTime(detail.value)}
          />
        </FormField>
      </SpaceBetween>
    </FormDialog>
  )
}
