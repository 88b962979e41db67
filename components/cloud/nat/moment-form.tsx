import { useState } from 'react'
import { useTimeZone, useTranslations } from 'use-intl'
import { useDates } from '#components/base/forms/use-dates'
import { DateField } from '#components/kit/date-field'
import { dayOf } from '#components/kit/days'
import { Row } from '#components/kit/layout'
import { Select } from '#components/kit/select'
import { Tool } from '#components/kit/tool'
import { momentOf } from '#lib/client/as-of'

const UTC = 'UTC'

const pad = (number: number): string => String(number).padStart(2, '0')

type MomentFormProps = { at: string | undefined; onAsk: (moment: string) => void }

/** A moment in the past, in the time zone of the user or in UTC. */
export function MomentForm({ at, onAsk }: MomentFormProps) {
  const say = useTranslations('address')
  const sayAsOf = useTranslations('layout.asOf')
  const local = useTimeZone() ?? UTC
  const first = new Date(at === undefined || Number.isNaN(Date.parse(at)) ? Date.now() : at)
  const [zone, setZone] = useState(local)
  const [date, setDate] = useState(() => dayOf(first))
  const [time, setTime] = useState(() => `${pad(first.getHours())}:${pad(first.getMinutes())}`)
  const moment = momentOf(date, time, { now: Date.now(), isUtc: zone === UTC })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (moment !== undefined) onAsk(moment)
      }}
    >
      <Row gap="m" align="end">
        <DateField
          {...useDates()}
          label={sayAsOf('date')}
          value={date}
          time={{ label: sayAsOf('time'), value: time, onChange: setTime }}
          isPossible={(day) => day <= dayOf(new Date())}
          onChange={setDate}
        />
        <Select
          label={sayAsOf('zone')}
          value={zone}
          options={[...new Set([local, UTC])].map((value) => ({ value, text: value.replaceAll('_', ' ') }))}
          onChange={setZone}
        />
        <Tool look="main" type="submit" refused={moment === undefined ? sayAsOf('faults.future') : undefined}>
          {say('ask')}
        </Tool>
      </Row>
    </form>
  )
}
