import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { screenIcons } from '#components/kit/screen-icons'
import { type Item, stepOfGroup } from './items'
import { Options } from './options'
import styles from './palette.module.css'
import { useItems } from './use-items'
import { useModal } from './use-modal'
import type { RecentThing } from './use-recent'

/** Finds every screen, action and object by a few letters. */
export function Palette({ onClose }: { onClose: () => void }) {
  const say = useTranslations('palette')
  const navigate = useNavigate()
  const list = useId()
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState<RecentThing>()
  const { items, note, forget, isSearching, error, retry } = useItems(typed, opened)
  const dialog = useModal(() => (opened ? openThing(undefined) : onClose()))
  const openThing = (thing: RecentThing | undefined) => {
    setOpened(thing)
    setTyped('')
    toFirst()
  }
  const run = (item: Item) => {
    onClose()
    note(item)
    if (item.to === undefined) item.act()
    else void navigate(item.to)
  }
  const { active, onKeyDown, point, toFirst } = useChoice(items, {
    typed,
    opened,
    onRun: run,
    onOpenThing: openThing,
  })
  const optionId = ({ id }: Item): string => `${list} ${id}`.replaceAll(/[^\w-]/g, '-')

  return (
    <div className={styles.backdrop}>
      <button type="button" tabIndex={-1} aria-hidden="true" className={styles.outside} onClick={onClose} />
      <div ref={dialog} role="dialog" aria-modal="true" aria-label={say('label')} className={styles.dialog}>
        <SearchField
          list={list}
          label={opened ? say('thing.title', { name: opened.name }) : say('label')}
          placeholder={opened ? say('thing.title', { name: opened.name }) : say('placeholder')}
          hasOptions={items.length > 0}
          active={active && optionId(active)}
          typed={typed}
          onType={(text) => {
            setTyped(text)
            toFirst()
          }}
          onKeyDown={onKeyDown}
          onClose={onClose}
        />
        <Options
          id={list}
          items={items}
          typed={typed}
          active={active}
          optionId={optionId}
          onPoint={point}
          onRun={run}
          onKeyDown={onKeyDown}
        />
        {error && (
          <div className={styles.failure}>
            <Failure error={error} retry={retry} />
          </div>
        )}
        {items.length === 0 && !isSearching && !error && <Nothing typed={typed} />}
        <PaletteHints
          onForget={forget}
          thing={opened ? undefined : active?.thing}
          isOpened={opened !== undefined}
          onOpenThing={openThing}
        />
        <ResultCount count={items.length} isSearching={isSearching} />
      </div>
    </div>
  )
}

function Nothing({ typed }: { typed: string }) {
  const say = useTranslations('palette')
  return (
    <div className={styles.nothing}>
      <strong>{say('nothing', { text: typed.trim() })}</strong>
      <div>{say('nothingHint')}</div>
    </div>
  )
}

type PaletteHintsProps = {
  onForget: (() => void) | undefined
  /** The chosen item. */
  thing: RecentThing | undefined
  /** The palette lists the actions of an item. */
  isOpened: boolean
  onOpenThing: (thing: RecentThing) => void
}

/** The keys of the palette. */
function PaletteHints({ onForget, thing, isOpened, onOpenThing }: PaletteHintsProps) {
  const say = useTranslations('palette')
  return (
    <div className={styles.hints}>
      <span className={styles.keys}>
        {(['move', 'open', isOpened ? 'back' : 'close'] as const).map((hint) => (
          <span key={hint}>{say.rich(`hints.${hint}`, { key: inKey })}</span>
        ))}
      </span>
      {thing && (
        <button type="button" className={styles.quietButton} onClick={() => onOpenThing(thing)}>
          {say.rich('hints.actions', { key: inKey, name: thing.name })}
        </button>
      )}
      {onForget && (
        <button type="button" className={styles.quietButton} onClick={onForget}>
          {say('forget')}
        </button>
      )}
    </div>
  )
}

const inKey = (name: ReactNode) => <kbd className={styles.key}>{name}</kbd>

const pause = 400

/** The number of results, for screen readers. It waits for a pause, so as not to speak at each letter. */
function ResultCount({ count, isSearching }: { count: number; isSearching: boolean }) {
  const say = useTranslations('palette')
  const text = isSearching ? say('searching') : say('results', { count })
  const [spoken, setSpoken] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div role="status" className={styles.unseen}>
      {spoken}
    </div>
  )
}

type SearchFieldProps = {
  /** The ids of the list, and of the option that is chosen in it. */
  list: string
  label: string
  placeholder: string
  active: string | undefined
  hasOptions: boolean
  typed: string
  onType: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onClose: () => void
}

/** The text field, which keeps the focus while the arrow keys move through the list (WAI-ARIA combobox). */
function SearchField({ list, label, placeholder, active, hasOptions, typed, ...on }: SearchFieldProps) {
  const say = useTranslations('palette')
  return (
    <div className={styles.search}>
      {screenIcons.search}
      <input
        className={styles.input}
        role="combobox"
        aria-label={label}
        aria-expanded={hasOptions}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={typed}
        onChange={({ target }) => on.onType(target.value)}
        onKeyDown={on.onKeyDown}
      />
      <button type="button" className={styles.close} aria-label={say('close')} onClick={on.onClose}>
        {screenIcons.close}
      </button>
    </div>
  )
}

type ChoiceOptions = {
  typed: string
  /** The item whose actions are listed. */
  opened: RecentThing | undefined
  onRun: (item: Item) => void
  onOpenThing: (thing: RecentThing | undefined) => void
}

/** The chosen line, and the keys that choose another line, run it, or list the actions of its item. */
function useChoice(items: readonly Item[], { typed, opened, onRun, onOpenThing }: ChoiceOptions) {
  const [chosen, setChosen] = useState<string>()
  // The next letter may remove the chosen line: then the first line is chosen.
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  )
  const active = items[at]
  const choose = (place: number) => setChosen(items[(place + items.length) % items.length]?.id)

  const back = () => onOpenThing(undefined)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const act = {
      ArrowDown: () => choose(at + 1),
      ArrowUp: () => choose(at - 1),
      PageDown: () => choose(stepOfGroup(items, at, 1)),
      PageUp: () => choose(stepOfGroup(items, at, -1)),
      Enter: () => active && onRun(active),
      ...(active?.thing && !opened && isAtEnd(event) && { ArrowRight: () => onOpenThing(active.thing) }),
      ...(opened && typed === '' && { ArrowLeft: back, Backspace: back }),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { active, onKeyDown, point: ({ id }: Item) => setChosen(id), toFirst: () => setChosen(undefined) }
}

/** True if the cursor is at the end of the text, so the right arrow would not move it. */
const isAtEnd = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && target.selectionStart === target.value.length
