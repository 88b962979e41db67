import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button'
import { Field, TextInput } from './field'
import styles from './pairs-editor.module.css'
import { screenIcons } from './screen-icons'

/** A name with its value. `row` stays the same while both change. */
export type Pair = { row: number; name: string; value: string; nameError?: ReactNode; valueError?: ReactNode }

type PairsEditorProps = {
  pairs: readonly Pair[]
  words: {
    name: string
    value: string
    add: string
    remove: (pair: Pair) => string
    removed: string
    empty: ReactNode
    /** Below the button that adds one. */
    about: ReactNode
  }
  readOnly: boolean
  /** No room for another one. */
  isFull: boolean
  onChange: (row: number, change: { name?: string; value?: string }) => void
  onAdd: () => void
  onRemove: (index: number) => void
}

/** Names with their values, each in a row of its own. */
export function PairsEditor({ pairs, words, readOnly, isFull, onChange, onAdd, onRemove }: PairsEditorProps) {
  const list = useRef<HTMLDivElement>(null)
  const [wasRemoved, setRemoved] = useState(false)
  const input = (pair: Pair, part: 'name' | 'value') => (
    <Field label={words[part]} error={part === 'name' ? pair.nameError : pair.valueError}>
      {(ties) => (
        <TextInput
          {...ties}
          value={pair[part]}
          readOnly={readOnly}
          autoComplete="off"
          spellCheck={false}
          onChange={(text) => onChange(pair.row, { [part]: text })}
        />
      )}
    </Field>
  )
  return (
    <div ref={list} className={styles.pairs}>
      {pairs.length === 0 && <p className="quiet">{words.empty}</p>}
      {pairs.map((pair, index) => (
        <div key={pair.row} className={styles.pair}>
          {input(pair, 'name')}
          {input(pair, 'value')}
          {!readOnly && (
            <Button
              icon={screenIcons.close}
              label={words.remove(pair)}
              onPress={() => {
                onRemove(index)
                setRemoved(true)
                list.current?.querySelector<HTMLElement>('[data-add]')?.focus()
              }}
            />
          )}
        </div>
      ))}
      {!readOnly && (
        <div className={styles.end}>
          <Button data-add disabled={isFull} onPress={onAdd}>
            {words.add}
          </Button>
          <small className="quiet">{words.about}</small>
          <span role="status" className="unseen">
            {wasRemoved && words.removed}
          </span>
        </div>
      )}
    </div>
  )
}
