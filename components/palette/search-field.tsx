import Icon from '@cloudscape-design/components/icon'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import styles from './palette.module.css'

type SearchFieldProps = {
  /** The ids of the list, and of the option that is chosen in it. */
  list: string
  active: string | undefined
  hasOptions: boolean
  typed: string
  onType: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onClose: () => void
}

/** The text field, which keeps the focus while the arrow keys move through the list (WAI-ARIA combobox). */
export function SearchField({
  list,
  active,
  hasOptions,
  typed,
  onType,
  onKeyDown,
  onClose,
}: SearchFieldProps) {
  const say = useTranslations('palette')
  return (
    <div className={styles.search}>
      <Icon name="search" variant="subtle" />
      <input
        className={styles.input}
        role="combobox"
        aria-label={say('label')}
        aria-expanded={hasOptions}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active}
        placeholder={say('placeholder')}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className={styles.close} aria-label={say('close')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  )
}
