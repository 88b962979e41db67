import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button'
import { Field } from './field'
import styles from './file-drop.module.css'
import { screenIcons } from './screen-icons'

type FileDropProps = {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** As in `<input type="file">`. */
  accept: string
  file: File | undefined
  /** On the button, beside it, and the name of the button that removes the file. */
  words: { choose: string; drop: string; remove: (name: string) => string }
  size: (bytes: number) => string
  onChange: (file: File | undefined) => void
}

/** A file, chosen or dropped. It stays in the browser until the form is sent. */
export function FileDrop({ label, hint, error, accept, file, words, size, onChange }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const choose = (chosen: File | undefined) => {
    if (input.current) input.current.value = ''
    onChange(chosen)
  }
  return (
    <Field {...{ label, hint, error }}>
      {(ties) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same by keys.
        <div
          className={`${styles.drop} ${isOver ? styles.over : ''}`}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            choose(event.dataTransfer.files[0])
          }}
        >
          <input
            {...ties}
            ref={input}
            type="file"
            className={styles.input}
            accept={accept}
            onChange={({ target }) => onChange(target.files?.[0])}
          />
          <span className={styles.button} aria-hidden="true">
            {words.choose}
          </span>
          {file ? (
            <span className={styles.file}>
              {screenIcons.file}
              {file.name} <small>{size(file.size)}</small>
              <Button
                look="quiet"
                icon={screenIcons.close}
                label={words.remove(file.name)}
                onPress={() => choose(undefined)}
              />
            </span>
          ) : (
            <span className={styles.hint}>{words.drop}</span>
          )}
        </div>
      )}
    </Field>
  )
}
