import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useFormatter, useTimeZone, useTranslations } from 'use-intl'
import { FormDialog } from '#components/base/forms/form-dialog'
import { useDates } from '#components/base/forms/use-dates'
import { longTime } from '#components/base/screens/moments'
import { Button } from '#components/kit/button'
import { DateField } from '#components/kit/date-field'
import { dayOf } from '#components/kit/days'
import { Row, Stack } from '#components/kit/layout'
import { Select } from '#components/kit/select'
import { momentOf } from '#lib/client/as-of'

const HOUR = 3_600_000
const presets = { hour: HOUR, yesterday: 24 * HOUR, week: 7 * 24 * HOUR } as const

const UTC = 'UTC'

/** Asks for the moment, in the caller's time zone or in UTC. */
export function AsOfDialog({ onClose }: { onClose: () => void }) {
  const say = useTranslations('layout.asOf')
  const format = useFormatter()
  const local = useTimeZone() ?? UTC
  const [search, setSearch] = useSearchParams()
  const [zone, setZone] = useState(local)
  const [date, setDate] = useState(() => dayOf(new Date()))
  const [time, setTime] = useState('00:00')
  const moment = momentOf(date, time, { now: Date.now(), isUtc: zone === UTC })
  const go = (moment: string | undefined) => {
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
      onSubmit={() => go(moment)}
      onClose={onClose}
    >
      <Stack>
        <div>{say('hint')}</div>
        <Row gap="s">
          {(['hour', 'yesterday', 'week'] as const).map((id) => (
            <Button key={id} onPress={() => go(new Date(Date.now() - presets[id]).toISOString())}>
              {say(`presets.${id}`)}
            </Button>
          ))}
        </Row>
        <DateField
          {...useDates()}
          label={say('date')}
          value={date}
          time={{ label: say('time'), value: time, onChange: setTime }}
          isPossible={(day) => day <= dayOf(new Date())}
          onChange={setDate}
        />
        <Select
          label={say('zone')}
          value={zone}
          options={[...new Set([local, UTC])].map((value) => ({ value, text: value.replaceAll('_', ' ') }))}
          onChange={setZone}
        />
        {moment !== undefined && (
          <div className="quiet">{say('preview', { time: longTime(format, moment, zone) })}</div>
        )}
      </Stack>
    </FormDialog>
  )
}
