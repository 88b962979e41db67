import {
  type ContextType,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefAttributes,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import styles from './filter.module.css'
import { keepFrame } from './keep-frame'
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
  const { label, clearLabel, text, complete, fault, onType, onFilter } = props
  const { typed, setTyped, apply } = useTyped(props)
  const field = useRef<HTMLInputElement>(null)
  const shown = typed ?? text
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
    onBlur: () => typed !== undefined && apply(typed, 'done'),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      // With an option in the list, Enter chooses it.
      if (event.key === 'Enter' && !event.currentTarget.getAttribute('aria-activedescendant'))
        apply(event.currentTarget.value, 'done')
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
          <input
            {...input}
            type="search"
            aria-label={label}
            value={shown}
            onChange={({ target }) => type(target.value)}
          />
          {clear}
        </div>
      )}
      {fault && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

type CompletedProps = Pick<FilterProps, 'label' | 'status'> & {
  complete: (text: string) => readonly Completion[]
  shown: string
  onText: (text: string) => void
  onApply: (text: string, how: How) => void
  input: InputHTMLAttributes<HTMLInputElement> & RefAttributes<HTMLInputElement>
  children: ReactNode
}

function Completed({ label, status, complete, shown, onText, onApply, input, children }: CompletedProps) {
  const list = useRef<ContextValue>(null)
  const items = complete(shown).map((completion, index) => ({
    id: `${index} ${completion.text}`,
    ...completion,
  }))
  return (
    <ComboBox
      aria-label={label}
      className={styles.filter ?? ''}
      allowsCustomValue
      allowsEmptyCollection={status !== undefined}
      menuTrigger="input"
      items={items}
      inputValue={shown}
      value={null}
      defaultFilter={() => true}
      onInputChange={onText}
      onOpenChange={keepFrame}
      onChange={(key) => {
        const chosen = items.find(({ id }) => id === key)
        if (!chosen) return
        chosen.run?.()
        onText(chosen.run ? '' : chosen.text)
        if (/\s$/.test(chosen.text)) onApply(chosen.text, 'chosen')
        else list.current?.open(null, 'manual')
      }}
    >
      <ListState of={list} />
      {screenIcons.search}
      <Input {...input} />
      {children}
      <Popover
        offset={6}
        crossOffset={-29}
        placement="bottom start"
        className={`${menu.popover} ${styles.popover}`}
      >
        <ListBox<(typeof items)[number]>
          aria-label={label}
          className={menu.menu ?? ''}
          renderEmptyState={() => <div className={menu.empty}>{status}</div>}
        >
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
}

type ContextValue = ContextType<typeof ComboBoxStateContext>

/** An unfinished completion opens the list again, for what it can be followed by. */
function ListState({ of }: { of: RefObject<ContextValue> }) {
  of.current = use(ComboBoxStateContext)
  return null
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
