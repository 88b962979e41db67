import { type ReactNode, useId } from 'react'
import { Choice } from './choice'
import styles from './choice.module.css'
import { Field } from './field'

export type RadioChoice<Value extends string> = {
  value: Value
  text: ReactNode
  about?: ReactNode
  refused?: string | undefined
}

type RadioProps<Value extends string> = {
  label: string
  hint?: ReactNode
  error?: ReactNode
  value: Value
  choices: readonly RadioChoice<Value>[]
  /** `tiles`: side by side, each with room for what it means. `row`: short ones in one line. */
  look?: 'list' | 'row' | 'tiles'
  /** What surrounds it shows the label already. */
  labelUnseen?: boolean
  onChange: (value: Value) => void
}

/** One of a few, all in sight. */
export function Radio<Value extends string>({
  label,
  hint,
  error,
  value,
  choices,
  look = 'list',
  labelUnseen,
  onChange,
}: RadioProps<Value>) {
  const name = useId()
  const dots = (
    <div
      className={look === 'tiles' ? styles.tiles : `${styles.choices} ${look === 'row' ? styles.row : ''}`}
    >
      {choices.map(({ value: one, text, about, refused }) => (
        <Choice
          key={one}
          type="radio"
          name={name}
          look={look === 'tiles' ? 'tile' : 'line'}
          isChosen={one === value}
          about={about}
          refused={refused}
          onChange={() => onChange(one)}
        >
          {text}
        </Choice>
      ))}
    </div>
  )
  if (labelUnseen)
    return (
      <div role="radiogroup" aria-label={label}>
        {dots}
      </div>
    )
  return (
    <Field role="radiogroup" {...{ label, hint, error }}>
      {() => dots}
    </Field>
  )
}
