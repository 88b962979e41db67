import { memo, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import styles from './filter.module.css'
import { keepFrame } from './keep-frame'
import menu from './menu.module.css'
import { screenIcons } from './screen-icons'

/** A way to go on from what is typed: the whole text that it leads to. */
export type Completion = { text: string; label: ReactNode; about?: string; run?: () => void }

type FilterProps = {
  label: string
  clearLabel: string
  /** The filter that holds now, as text. */
  text: string
  complete: (text: string) => readonly Completion[]
  onFilter: (text: string) => void
}

const pause = 200

/** The filter of a list as one line of text, completed while typing. It takes effect when the typing rests. */
export const FilterField = memo(({ label, clearLabel, text, complete, onFilter }: FilterProps) => {
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? text
  const apply = useEffectEvent((next: string) => {
    if (next !== text) onFilter(next)
  })
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => apply(typed), pause)
    return () => clearTimeout(timer)
  }, [typed])
  const completions = complete(shown)
  const items = completions.map((completion, index) => ({ id: `${index} ${completion.text}`, ...completion }))
  return (
    <ComboBox
      aria-label={label}
      className={styles.filter ?? ''}
      allowsCustomValue
      menuTrigger="input"
      items={items}
      inputValue={shown}
      value={null}
      defaultFilter={() => true}
      onInputChange={setTyped}
      onOpenChange={keepFrame}
      onBlur={() => {
        if (typed !== undefined) apply(typed)
        setTyped(undefined)
      }}
      onChange={(key) => {
        const chosen = items.find(({ id }) => id === key)
        if (!chosen) return
        if (chosen.run) chosen.run()
        setTyped(chosen.run ? '' : chosen.text)
      }}
    >
      {screenIcons.search}
      <Input
        className={styles.input ?? ''}
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        data-key="/"
      />
      {shown !== '' && (
        <Button
          slot={null}
          aria-label={clearLabel}
          className={styles.clear ?? ''}
          onPress={() => {
            setTyped(undefined)
            onFilter('')
          }}
        >
          {screenIcons.close}
        </Button>
      )}
      <Popover
        offset={6}
        crossOffset={-29}
        placement="bottom start"
        className={`${menu.popover} ${styles.popover}`}
      >
        <ListBox<(typeof items)[number]> aria-label={label} className={menu.menu ?? ''}>
          {({ id, text: completed, label: name, about }) => (
            <ListBoxItem id={id} textValue={completed} className={menu.item ?? ''}>
              <span>{name}</span>
              {about && <small>{about}</small>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
})

export type Facet<Id extends string> = { id: Id; name: string; sign: ReactNode; count: number | undefined }

type FacetsProps<Id extends string> = {
  label: string
  facets: readonly Facet<Id>[]
  chosen: string | undefined
  format: (count: number) => string
  onChoose: (id: Id | undefined) => void
}

/** The values of one property with their counts, one click away. */
export const Facets = <Id extends string>({ label, facets, chosen, format, onChoose }: FacetsProps<Id>) => (
  <fieldset className={styles.facets} aria-label={label}>
    {facets.map(({ id, name, sign, count }) => (
      <button
        key={id}
        type="button"
        aria-pressed={id === chosen}
        onClick={() => onChoose(id === chosen ? undefined : id)}
      >
        {sign}
        {name}
        <b>{count === undefined ? '' : format(count)}</b>
      </button>
    ))}
  </fieldset>
)
