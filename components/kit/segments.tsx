import styles from './segments.module.css'

type SegmentsProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; text: string }[]
  onChange: (value: Value) => void
}

/** Views of the same data, of which one is shown. */
export const Segments = <Value extends string>({ label, value, choices, onChange }: SegmentsProps<Value>) => (
  <fieldset className={styles.segments} aria-label={label}>
    {choices.map(({ value: one, text }) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
        {text}
      </button>
    ))}
  </fieldset>
)
