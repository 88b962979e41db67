import { type FormEvent, useState } from 'react'
import { useTimeZone, useTranslations } from 'use-intl'
import { useDates } from '#components/base/forms/use-dates'
import { Button } from '#components/kit/button'
import { DateField } from '#components/kit/date-field'
import { dayOf, timeOfDay } from '#components/kit/days'
import { Select } from '#components/kit/select'
import { momentOf } from '#lib/client/as-of'
import styles from './time-bar.module.css'

const HOUR = 3_600_000
const presets = { hour: HOUR, yesterday: 24 * HOUR, week: 7 * 24 * HOUR } as const

const UTC = 'UTC'

type MomentFormProps = {
  moment: string | undefined
  /** Why there is nothing to see at the moment. */
  fault: string | undefined
  onGo: (moment: string) => void
}

/** A day and a time of day, in the caller's time zone or in UTC, and moments that are often meant. */
export function MomentForm({ moment, fault, onGo }: MomentFormProps) {
  const say = useTranslations('layout.asOf')
  const local = useTimeZone() ?? UTC
  const [zone, setZone] = useState(local)
  // What is typed counts until another moment is shown. The form itself stays, and with it the focus.
  const [typed, setTyped] = useState<Fields & { at: string | undefined }>()
  const { date, time } = typed && typed.at === moment ? typed : fieldsOf(moment, zone === UTC)
  const type = (fields: Fields) => setTyped({ ...fields, at: moment })
  const [isRefused, setRefused] = useState(false)
  const show = (event: FormEvent) => {
    event.preventDefault()
    const chosen = momentOf(date, time, { now: Date.now(), isUtc: zone === UTC })
    setRefused(chosen === undefined)
    if (chosen !== undefined) onGo(chosen)
  }
  return (
    <form onSubmit={show} className={styles.form} noValidate>
      <DateField
        {...useDates()}
        label={<span className="unseen">{say('date')}</span>}
        error={isRefused ? say('faults.future') : fault}
        value={date}
        time={{ label: say('time'), value: time, onChange: (next) => type({ date, time: next }) }}
        isPossible={(day) => day <= dayOf(new Date())}
        onChange={(next) => type({ date: next, time })}
      />
      <Select
        label={say('zone')}
        labelUnseen
        value={zone}
        options={[...new Set([local, UTC])].map((value) => ({ value, text: value.replaceAll('_', ' ') }))}
        onChange={(next) => {
          setZone(next)
          if (moment !== undefined) setTyped(undefined)
        }}
      />
      <Button type="submit" look={moment === undefined ? 'main' : 'plain'}>
        {say('show')}
      </Button>
      {(['hour', 'yesterday', 'week'] as const).map((id) => (
        <Button
          key={id}
          look="quiet"
          onPress={() => {
            setRefused(false)
            onGo(new Date(Date.now() - presets[id]).toISOString())
          }}
        >
          {say(`presets.${id}`)}
        </Button>
      ))}
    </form>
  )
}

type Fields = { date: string; time: string }

/** The fields begin with the moment that is shown, or with this morning. */
function fieldsOf(moment: string | undefined, isUtc: boolean): Fields {
  const then = new Date(moment ?? Date.now())
  if (moment === undefined || Number.isNaN(then.getTime())) return { date: dayOf(new Date()), time: '00:00' }
  const text = then.toISOString()
  return isUtc
    ? { date: text.slice(0, 10), time: text.slice(11, 16) }
    : { date: dayOf(then), time: timeOfDay(then) }
}
