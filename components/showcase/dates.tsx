import { useState } from 'react'
import { DateField } from '#components/kit/date-field'
import { DateRange } from '#components/kit/date-range'
import { FileDrop } from '#components/kit/file-drop'
import { Sample } from './sample'

const words = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  openCalendar: 'Choose the day',
  noDay: 'There is no such day.',
  noTime: 'There is no such time.',
}

const rangeWords = {
  ...words,
  any: 'Any time',
  fromTo: 'From and to',
  from: 'From',
  to: 'To',
  time: 'Time',
  apply: 'Apply',
  clear: 'Clear',
}

const spans = [
  { value: 'PT1H', text: 'Last hour' },
  { value: 'P7D', text: 'Last 7 days' },
]

export const Dates = () => (
  <>
    <Sample title="Date" as="grid">
      <Days />
    </Sample>
    <Sample title="Range">
      <Range />
    </Sample>
    <Sample title="File" as="grid">
      <Table />
    </Sample>
  </>
)

function Days() {
  const [day, setDay] = useState('2026-11-25')
  const [time, setTime] = useState('14:05')
  return (
    <>
      <DateField
        label="Ends"
        hint="At the end of this day."
        locale="en-US"
        {...{ words, value: day, onChange: setDay }}
      />
      <DateField
        label="Caduca"
        locale="es-ES"
        error="Elija otro día."
        {...{ words, value: day, onChange: setDay }}
      />
      <DateField
        label="As of"
        locale="en-US"
        words={words}
        value={day}
        time={{ label: 'Time', value: time, onChange: setTime }}
        onChange={setDay}
      />
    </>
  )
}

function Range() {
  const [span, setSpan] = useState<string | undefined>('P7D')
  const [ends, setEnds] = useState({
    from: { day: '2026-11-24', time: '00:00' },
    to: { day: '2026-11-25', time: '12:00' },
  })
  return (
    <DateRange
      label="Time of the events"
      text={spans.find(({ value }) => value === span)?.text ?? `${ends.from.day} – ${ends.to.day}`}
      spans={spans}
      span={span}
      ends={ends}
      locale="en-US"
      words={rangeWords}
      faultOf={({ from, to }) => (from.day > to.day ? 'The end is before the beginning.' : undefined)}
      onChange={(chosen) => {
        setSpan(chosen && 'span' in chosen ? chosen.span : undefined)
        if (chosen && 'ends' in chosen) setEnds(chosen.ends)
      }}
    />
  )
}

function Table() {
  const [file, setFile] = useState<File>()
  return (
    <FileDrop
      label="Table"
      hint="CSV, at most 1 MB."
      accept=".csv,text/csv"
      file={file}
      words={{ choose: 'Choose a file', drop: 'or drop it here', remove: (name) => `Remove ${name}` }}
      size={(bytes) => `${bytes} bytes`}
      onChange={setFile}
    />
  )
}
