import { useState } from 'react'
import { Button } from './button'
import { DateField, type DateWords } from './date-field'
import styles from './date-range.module.css'
import { Opening } from './opening'
import { Radio } from './radio'
import { screenIcons } from './screen-icons'

/** Days and times of this machine's clock. */
export type RangeEnds = { from: RangeEnd; to: RangeEnd }
type RangeEnd = { day: string; time: string }

type RangeWords = DateWords & {
  any: string
  fromTo: string
  from: string
  to: string
  time: string
  apply: string
  clear: string
}

type DateRangeProps = {
  label: string
  /** The chosen range in words; absent: any time. */
  text: string | undefined
  /** Ranges that end now. */
  spans: readonly { value: string; text: string }[]
  span: string | undefined
  ends: RangeEnds
  locale: string
  words: RangeWords
  /** Why the ends are no range. */
  faultOf: (ends: RangeEnds) => string | undefined
  onChange: (chosen: { span: string } | { ends: RangeEnds } | undefined) => void
}

/** A range of time: one that ends now, or from a moment to another. */
export const DateRange = ({ label, text, words, ...choice }: DateRangeProps) => (
  <Opening
    label={label}
    placement="bottom start"
    className={styles.dialog}
    button={
      <Button icon={screenIcons.calendar} label={`${label}: ${text ?? words.any}`}>
        {text ?? words.any}
      </Button>
    }
  >
    {(close) => <Choice {...choice} label={label} words={words} text={text} onClose={close} />}
  </Opening>
)

const OTHER = 'other'

function Choice({
  label,
  text,
  spans,
  span,
  ends: given,
  locale,
  words,
  faultOf,
  onChange,
  onClose,
}: DateRangeProps & { onClose: () => void }) {
  const [chosen, setChosen] = useState(span ?? (text === undefined ? (spans[0]?.value ?? OTHER) : OTHER))
  const [ends, setEnds] = useState(given)
  const [isTried, setTried] = useState(false)
  const fault = chosen === OTHER ? faultOf(ends) : undefined
  const finish = (choice: Parameters<typeof onChange>[0]) => {
    onChange(choice)
    onClose()
  }
  const apply = () => {
    setTried(true)
    if (fault === undefined) finish(chosen === OTHER ? { ends } : { span: chosen })
  }
  return (
    <div className={styles.choice}>
      <Radio
        label={label}
        labelUnseen
        value={chosen}
        choices={[...spans, { value: OTHER, text: words.fromTo }]}
        onChange={setChosen}
      />
      {chosen === OTHER &&
        (['from', 'to'] as const).map((end) => (
          <DateField
            key={end}
            label={words[end]}
            locale={locale}
            words={words}
            value={ends[end].day}
            error={isTried && end === 'to' && fault}
            time={{
              label: `${words[end]}: ${words.time}`,
              value: ends[end].time,
              onChange: (time) => setEnds((now) => ({ ...now, [end]: { ...now[end], time } })),
            }}
            onChange={(day) => setEnds((now) => ({ ...now, [end]: { ...now[end], day } }))}
          />
        ))}
      <div className={styles.actions}>
        {text !== undefined && (
          <Button look="quiet" onPress={() => finish(undefined)}>
            {words.clear}
          </Button>
        )}
        <Button look="main" onPress={apply}>
          {words.apply}
        </Button>
      </div>
    </div>
  )
}
