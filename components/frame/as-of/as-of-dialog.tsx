import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useDates } from '#components/base/forms/use-dates'
import { DateField } from '#components/kit/date-field'
import { dayOf } from '#components/kit/days'
import { Stack } from '#components/kit/layout'
import { momentOf } from '#lib/client/as-of'

/** Asks for the moment, in the caller's time zone. */
export function AsOfDialog({ onClose }: { onClose: () => void }) {
  const say = useTranslations('layout.asOf')
  const [search, setSearch] = useSearchParams()
  const [date, setDate] = useState(() => dayOf(new Date()))
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
      submit={{ label: say('show'), refused: moment === undefined ? say('none') : undefined }}
      onSubmit={go}
      onClose={onClose}
    >
      <Stack>
        <div>{say('hint')}</div>
        <DateField
          {...useDates()}
          label={say('date')}
          value={date}
          time={{ label: say('time'), value: time, onChange: setTime }}
          isPossible={(day) => day <= dayOf(new Date())}
          onChange={setDate}
        />
      </Stack>
    </FormDialog>
  )
}
