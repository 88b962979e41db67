import { type ReactNode, useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import type { Item } from './items'
import { Options } from './options'
import styles from './palette.module.css'
import { SearchField } from './search-field'
import { useChoice } from './use-choice'
import { useItems } from './use-items'
import { useModal } from './use-modal'

/** Finds every screen, action and object by a few letters. */
export function Palette({ onClose }: { onClose: () => void }) {
  const say = useTranslations('palette')
  const navigate = useNavigate()
  const list = useId()
  const [typed, setTyped] = useState('')
  const { items, note, forget, isSearching, error, retry } = useItems(typed)
  const dialog = useModal(onClose)
  const run = (item: Item) => {
    onClose()
    note(item)
    if (item.to === undefined) item.act()
    else void navigate(item.to)
  }
  const { active, onKeyDown, point, toFirst } = useChoice(items, run)
  const optionId = ({ id }: Item): string => `${list} ${id}`.replaceAll(/[^\w-]/g, '-')

  return (
    <div className={styles.backdrop}>
      <button type="button" tabIndex={-1} aria-hidden="true" className={styles.outside} onClick={onClose} />
      <div ref={dialog} role="dialog" aria-modal="true" aria-label={say('label')} className={styles.dialog}>
        <SearchField
          list={list}
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
        <PaletteHints onForget={forget} />
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

/** The keys of the palette. */
function PaletteHints({ onForget }: { onForget: (() => void) | undefined }) {
  const say = useTranslations('palette')
  return (
    <div className={styles.hints}>
      <span className={styles.keys}>
        {(['move', 'open', 'close'] as const).map((hint) => (
          <span key={hint}>{say.rich(`hints.${hint}`, { key: inKey })}</span>
        ))}
      </span>
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
