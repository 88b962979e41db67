import { type ReactNode, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem, ListBoxLoadMoreItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { About } from './about'
import button from './button.module.css'
import field from './field.module.css'
import { icons } from './icons'
import { keepFrame } from './keep-frame'
import menu from './menu.module.css'
import styles from './picker.module.css'
import { screenIcons } from './screen-icons'
import { Tokens } from './tokens'

type Id = string | number

export type Option<Of extends Id = number> = {
  id: Of
  name: string
  /** How it differs from others of its name. */
  about?: ReactNode
  /** Why it cannot be chosen now. */
  refused?: string | undefined
}

type Search<Of extends Id> = {
  label: ReactNode
  /** Below the field. The fault stands before it. */
  hint?: ReactNode
  error?: ReactNode
  /** The options that the server found for the text. */
  options: readonly Option<Of>[]
  onSearch: (text: string) => void
  /** There are more than these: reads on as the list is scrolled. */
  onMore?: (() => void) | undefined
  placeholder: string
  /** In place of options: loading, or nothing found. */
  empty: ReactNode
  disabled?: boolean
  required?: boolean
}

const Options = <Of extends Id>({ options, onMore, empty }: Search<Of>) => (
  <Popover offset={4} maxHeight={320} className={menu.popover ?? ''}>
    <ListBox className={menu.menu ?? ''} renderEmptyState={() => <div className={menu.empty}>{empty}</div>}>
      <Collection items={options}>
        {({ id, name, about, refused }) => (
          <ListBoxItem
            id={id}
            textValue={name}
            className={menu.item ?? ''}
            isDisabled={refused !== undefined}
          >
            <span>{name}</span>
            {(refused ?? about) && <small>{refused ?? about}</small>}
            <i className={menu.mark}>{icons.check}</i>
          </ListBoxItem>
        )}
      </Collection>
      {onMore && <ListBoxLoadMoreItem onLoadMore={onMore} />}
    </ListBox>
  </Popover>
)

/** A click into the field opens the list; the focus alone does not, or a dialog would open with it. */
function Box({ placeholder, selects = false }: { placeholder: string; selects?: boolean }) {
  const arrow = useRef<HTMLButtonElement>(null)
  return (
    <div className={field.box}>
      <Input
        className={field.input ?? ''}
        placeholder={placeholder}
        onFocus={({ currentTarget }) => selects && currentTarget.select()}
        onClick={({ currentTarget }) =>
          currentTarget.getAttribute('aria-expanded') === 'false' && arrow.current?.click()
        }
      />
      <Button ref={arrow} className={`${button.button} ${button.inner} ${button.bare}`}>
        {screenIcons.down}
      </Button>
    </div>
  )
}

const classOf = (error: ReactNode, disabled: boolean) =>
  `${field.field} ${styles.picker} ${error ? field.wrong : ''} ${disabled ? styles.off : ''}`

type PickerProps<Of extends Id> = Search<Of> & {
  value: Option<Of> | undefined
  onChange: (chosen: Option<Of> | undefined) => void
}

/** One of many, searched on the server while the user types. */
export function Picker<Of extends Id>({ value, onChange, ...search }: PickerProps<Of>) {
  const { label, hint, error, options, onSearch, placeholder, disabled = false, required = false } = search
  const [typed, setTyped] = useState<string>()
  // The first letter opens the list, before it is rendered: a search for nothing would take it away.
  const now = useRef('')
  const type = (text: string | undefined) => {
    now.current = text ?? ''
    setTyped(text)
  }
  return (
    <ComboBox
      className={classOf(error, disabled)}
      items={options}
      inputValue={typed ?? value?.name ?? ''}
      value={value?.id ?? null}
      defaultFilter={() => true}
      allowsEmptyCollection
      menuTrigger="input"
      isDisabled={disabled}
      isInvalid={Boolean(error)}
      isRequired={required}
      validationBehavior="aria"
      onInputChange={(text) => {
        type(text)
        onSearch(text === value?.name ? '' : text)
      }}
      onOpenChange={(isOpen) => {
        keepFrame(isOpen)
        if (isOpen) onSearch(now.current === value?.name ? '' : now.current)
      }}
      // Not when the list closes: it also closes when the page scrolls.
      onBlur={() => type(undefined)}
      onChange={(key) => {
        type(undefined)
        const chosen = options.find(({ id }) => id === key)
        if (chosen || typed === '') onChange(chosen)
      }}
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <Box placeholder={placeholder} selects />
      <About hint={hint} error={error} />
      <Options {...search} />
    </ComboBox>
  )
}

type ManyProps<Of extends Id> = Search<Of> & {
  label: string
  /** The ids and names of what is chosen. */
  chosen: readonly Option<Of>[]
  /** All that is chosen, where `chosen` has only the first. */
  ids?: readonly Of[]
  removeLabel: (name: string) => string
  onChange: (ids: Of[]) => void
}

/** Several of many: chosen ones stand below the field, and Backspace on one removes it. */
export function ManyPicker<Of extends Id>({
  chosen,
  ids = chosen.map(({ id }) => id),
  removeLabel,
  onChange,
  ...search
}: ManyProps<Of>) {
  const { label, hint, error, options, onSearch, placeholder, disabled = false } = search
  const [typed, setTyped] = useState('')
  const now = useRef('')
  /** Tab presses the focused option, and so would remove one that was just chosen. */
  const isLeaving = useRef(false)
  const known = [...new Set([...ids, ...options.map(({ id }) => id)])]
  return (
    <div
      className={field.field}
      onKeyDownCapture={({ key }) => {
        isLeaving.current = key === 'Tab'
      }}
      onPointerDownCapture={() => {
        isLeaving.current = false
      }}
    >
      <ComboBox<Option<Of>, 'multiple'>
        className={classOf(error, disabled)}
        selectionMode="multiple"
        items={options}
        inputValue={typed}
        value={ids}
        defaultFilter={() => true}
        allowsEmptyCollection
        menuTrigger="input"
        isDisabled={disabled}
        isInvalid={Boolean(error)}
        validationBehavior="aria"
        onInputChange={(text) => {
          now.current = text
          setTyped(text)
          onSearch(text)
        }}
        onOpenChange={(isOpen) => {
          keepFrame(isOpen)
          if (isOpen) onSearch(now.current)
        }}
        onChange={(keys) => {
          const kept = isLeaving.current ? ids : []
          onChange(known.filter((id) => keys.includes(id) || kept.includes(id)))
        }}
      >
        <Label className={field.label ?? ''}>{label}</Label>
        <Box placeholder={placeholder} />
        <About hint={hint} error={error} />
        <Options {...search} />
      </ComboBox>
      {chosen.length > 0 && (
        <Tokens
          label={label}
          items={chosen}
          removeLabel={removeLabel}
          onRemove={disabled ? undefined : (gone) => onChange(ids.filter((id) => id !== gone))}
        />
      )}
    </div>
  )
}
