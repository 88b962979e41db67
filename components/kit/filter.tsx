import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import styles from './filter.module.css'
import menu from './menu.module.css'
import { screenIcons } from './screen-icons'

/** A way to go on from what is typed: the whole text that it leads to. */
export type Completion = { text: string; label: ReactNode; about?: string | undefined; run?: () => void }

type FilterProps = {
  label: string
  clearLabel: string
  /** The filter that holds now, as text, and in another form that is the same only for the same filter. */
  text: string
  state: string
  /** Without it the filter is plain text. */
  complete?: ((text: string) => readonly Completion[]) | undefined
  onType?: (text: string) => void
  /** In place of completions: that they are being looked for, or why there are none. */
  status?: ReactNode
  /** What the text may mean instead: a button below it, while the field is used. */
  propose?: (text: string) => Completion | undefined
  /** What is wrong with the text, below it. */
  fault?: ReactNode
  /**
   * `isDone` is false at each rest of the typing. Returns the state that this leads to; undefined if that is not known yet, or if the text
   * means nothing: then it stays as it was typed.
   */
  onFilter: (text: string, isDone: boolean) => string | undefined
}

const pause = 250

/** The typing rests, a completion was chosen and the typing goes on, or it is over. */
type How = 'rest' | 'chosen' | 'done'

/** What is typed, until the filter says it in its own words. */
function useTyped({ state, onFilter }: Pick<FilterProps, 'state' | 'onFilter'>) {
  const [typed, setTyped] = useState<string>()
  const sent = useRef(state)
  const apply = (text: string, how: How) => {
    const next = onFilter(text, how !== 'rest')
    sent.current = how === 'done' ? '' : (next ?? '')
    if (how === 'done' && next === state) setTyped(undefined)
  }
  const rest = useEffectEvent((text: string) => apply(text, 'rest'))
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => rest(typed), pause)
    return () => clearTimeout(timer)
  }, [typed])
  // The filter was changed elsewhere, or is what was typed: both replace the typed text.
  useEffect(() => {
    if (state !== sent.current) setTyped(undefined)
    sent.current = state
  }, [state])
  return { typed, setTyped, apply }
}

/** The filter of a list as one line of text, completed while typing. It takes effect when the typing rests. */
export function FilterField(props: FilterProps) {
  const { label, clearLabel, text, complete, propose, fault, onType, onFilter } = props
  const { typed, setTyped, apply } = useTyped(props)
  const field = useRef<HTMLInputElement>(null)
  const shown = typed ?? text
  const proposal = propose?.(shown)
  const type = (next: string) => {
    setTyped(next)
    onType?.(next)
  }
  const input = {
    ref: field,
    className: styles.input ?? '',
    placeholder: label,
    spellCheck: false,
    autoComplete: 'off',
    'data-key': '/',
    value: shown,
    onBlur: () => typed !== undefined && apply(typed, 'done'),
    onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
      if (key === 'Enter') apply(currentTarget.value, 'done')
    },
  }
  const clear = shown !== '' && (
    <button
      type="button"
      aria-label={clearLabel}
      className={styles.clear}
      onClick={() => {
        setTyped(undefined)
        onFilter('', true)
        field.current?.focus()
      }}
    >
      {screenIcons.close}
    </button>
  )
  return (
    <div className={styles.field}>
      {complete ? (
        <Completed {...props} complete={complete} shown={shown} onText={type} onApply={apply} input={input}>
          {clear}
        </Completed>
      ) : (
        <div className={styles.filter}>
          {screenIcons.search}
          <input {...input} type="search" aria-label={label} onChange={({ target }) => type(target.value)} />
          {clear}
        </div>
      )}
      {proposal && !fault && (
        <button
          type="button"
          className={styles.proposal}
          // The field keeps the focus, and what is typed.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setTyped(proposal.text)
            apply(proposal.text, 'chosen')
            field.current?.focus()
          }}
        >
          {proposal.label}
        </button>
      )}
      {fault && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

type Input = InputHTMLAttributes<HTMLInputElement> & RefAttributes<HTMLInputElement>

type CompletedProps = Pick<FilterProps, 'label' | 'status'> & {
  complete: (text: string) => readonly Completion[]
  shown: string
  onText: (text: string) => void
  onApply: (text: string, how: How) => void
  input: Input
  children: ReactNode
}

/**
 * The field with its completions, which open with a letter or an arrow key (WAI-ARIA APG, editable combobox with list autocomplete). Plain:
 * React Aria's rendered seven times a letter (docs/performance.md).
 */
function Completed({ label, status, complete, shown, onText, onApply, input, children }: CompletedProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [isAsked, setAsked] = useState(false)
  /** The text of the completion that Enter takes. */
  const [active, setActive] = useState<string>()
  const items = isAsked ? complete(shown) : []
  const isOpen = items.length > 0 || (isAsked && status !== undefined)
  const at = items.findIndex(({ text }) => text === active)
  useEffect(() => {
    if (at >= 0) list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const ask = (isWanted: boolean) => {
    setAsked(isWanted)
    setActive(undefined)
  }
  const choose = ({ text, run }: Completion) => {
    run?.()
    onText(run ? '' : text)
    const isWhole = /\s$/.test(text)
    // An unfinished completion opens the list again, for what it can be followed by.
    ask(!isWhole && !run)
    if (isWhole) onApply(text, 'chosen')
  }
  const move = (step: 1 | -1) => {
    setAsked(true)
    const all = complete(shown)
    const next = at < 0 && step < 0 ? -1 : at + step
    setActive(all.at(next % all.length)?.text)
  }
  const hear = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event
    const chosen = items[at]
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Escape' && isOpen) ask(false)
    else if (key === 'Enter' && chosen) choose(chosen)
    else {
      if (key === 'Enter') ask(false)
      input.onKeyDown?.(event)
      return
    }
    event.preventDefault()
  }
  return (
    <>
      <div className={styles.filter}>
        {screenIcons.search}
        <input
          {...input}
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          onChange={({ target }) => {
            ask(true)
            onText(target.value)
          }}
          onKeyDown={hear}
          onBlur={(event) => {
            ask(false)
            input.onBlur?.(event)
          }}
        />
        {children}
      </div>
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={label}
          className={`${menu.menu} ${menu.popover} ${styles.popover}`}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
        >
          {items.map((completion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus, and names the active option.
            <div
              key={completion.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className={`${menu.item} ${index === at ? menu.active : ''}`}
              onClick={() => choose(completion)}
            >
              <span>{completion.label}</span>
              {completion.about && <small>{completion.about}</small>}
            </div>
          ))}
          {items.length === 0 && <div className={menu.empty}>{status}</div>}
        </div>
      )}
    </>
  )
}

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
        <span>{name}</span>
        <b>{count === undefined ? '' : format(count)}</b>
      </button>
    ))}
  </fieldset>
)
