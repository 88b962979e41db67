import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { MarkedText } from '#components/base/screens/text-match'
import { type Item, sectionsOf } from './items'
import styles from './palette.module.css'

type OptionsProps = {
  id: string
  items: readonly Item[]
  typed: string
  active: Item | undefined
  optionId: (item: Item) => string
  onPoint: (item: Item) => void
  onRun: (item: Item) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The list below the field; the focus stays in the field (WAI-ARIA combobox). */
export function Options({ id, items, typed, active, ...option }: OptionsProps) {
  const say = useTranslations('palette')
  return (
    <div id={id} role="listbox" aria-label={say('label')} hidden={items.length === 0} className={styles.list}>
      {sectionsOf(items).map(({ group, items: grouped }) => (
        <fieldset key={group} aria-labelledby={`${id}-${group}`} className={styles.section}>
          <div id={`${id}-${group}`} role="presentation" className={styles.group}>
            {say(`groups.${group}`)}
          </div>
          {grouped.map((item) => (
            <Option key={item.id} item={item} typed={typed} isActive={item === active} {...option} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

type OptionProps = Omit<OptionsProps, 'id' | 'items' | 'active'> & { item: Item; isActive: boolean }

function Option({ item, typed, isActive, optionId, onPoint, onRun, onKeyDown }: OptionProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={element}
      id={optionId(item)}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.option}
      onPointerMove={({ movementX, movementY }) => {
        // Scrolling below a resting pointer does not choose an option.
        if (movementX !== 0 || movementY !== 0) onPoint(item)
      }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onRun(item)}
      onKeyDown={onKeyDown}
    >
      <span className={styles.icon} aria-hidden="true">
        {item.icon}
      </span>
      <span className={styles.text}>
        <MarkedText text={item.text} search={typed.trim()} className={styles.match} />
      </span>
      {item.detail && <span className={styles.detail}>{item.detail}</span>}
      {item.keys && (
        <span className={styles.shortcut} aria-hidden="true">
          {item.keys.map((key) => (
            <kbd key={key} className={styles.key}>
              {key}
            </kbd>
          ))}
        </span>
      )}
    </div>
  )
}
