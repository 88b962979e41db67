import { type ReactNode, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Text } from 'react-aria-components/Text'
import field from './field.module.css'
import { icons } from './icons'
import { keepFrame } from './keep-frame'
import menu from './menu.module.css'
import styles from './picker.module.css'
import { screenIcons } from './screen-icons'
import { Tokens } from './tokens'

export type Option = { id: number; name: string; refused?: string | undefined }

type Search = {
  label: string
  /** Below the field. The fault stands before it. */
  hint?: ReactNode
  error?: ReactNode
  /** The options that the server found for the text. */
  options: readonly Option[]
  onSearch: (text: string) => void
  placeholder: string
  /** In place of options: loading, or nothing found. */
  empty: ReactNode
  disabled?: boolean
}

const Options = ({ empty, label }: { empty: ReactNode; label: string }) => (
  <Popover offset={4} maxHeight={320} className={menu.popover ?? ''}>
    <ListBox<Option>
      aria-label={label}
      className={menu.menu ?? ''}
      renderEmptyState={() => <div className={menu.empty}>{empty}</div>}
    >
      {({ id, name, refused }) => (
        <ListBoxItem id={id} textValue={name} className={menu.item ?? ''} isDisabled={refused !== undefined}>
          <span>{name}</span>
          {refused !== undefined && <small>{refused}</small>}
          <i className={menu.mark}>{icons.check}</i>
        </ListBoxItem>
      )}
    </ListBox>
  </Popover>
)

const classOf = (error: ReactNode, disabled: boolean) =>
  `${field.field} ${styles.picker} ${error ? field.wrong : ''} ${disabled ? styles.off : ''}`

const About = ({ hint, error }: Pick<Search, 'hint' | 'error'>) => (
  <>
    <FieldError className={field.error ?? ''}>{error}</FieldError>
    {hint && (
      <Text slot="description" className={field.hint ?? ''}>
        {hint}
      </Text>
    )}
  </>
)

/** One of many, searched on the server while the user types. */
export function Picker({
  label,
  hint,
  error,
  options,
  onSearch,
  placeholder,
  empty,
  disabled = false,
  value,
  onChange,
}: Search & {
  value: Option | undefined
  onChange: (chosen: Option | undefined) => void
}) {
  const [typed, setTyped] = useState<string>()
  return (
    <ComboBox<Option>
      className={classOf(error, disabled)}
      items={options}
      inputValue={typed ?? value?.name ?? ''}
      value={value?.id ?? null}
      defaultFilter={() => true}
      allowsEmptyCollection
      menuTrigger="focus"
      isDisabled={disabled}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      onInputChange={(text) => {
        setTyped(text)
        onSearch(text === value?.name ? '' : text)
      }}
      onOpenChange={(isOpen) => {
        keepFrame(isOpen)
        if (isOpen) onSearch('')
        else setTyped(undefined)
      }}
      onChange={(key) => {
        setTyped(undefined)
        const chosen = options.find(({ id }) => id === key)
        if (chosen || typed === '') onChange(chosen)
      }}
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <div className={field.box}>
        <Input
          className={field.input ?? ''}
          placeholder={placeholder}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button className={styles.arrow ?? ''}>{screenIcons.down}</Button>
      </div>
      <About hint={hint} error={error} />
      <Options empty={empty} label={label} />
    </ComboBox>
  )
}

type ManyProps = Search & {
  /** The ids and names of what is chosen. */
  chosen: readonly Option[]
  removeLabel: (name: string) => string
  onChange: (ids: number[]) => void
}

/** Several of many: chosen ones stand below the field, and Backspace on one removes it. */
export function ManyPicker({
  label,
  hint,
  error,
  options,
  onSearch,
  placeholder,
  empty,
  disabled = false,
  chosen,
  removeLabel,
  onChange,
}: ManyProps) {
  const [typed, setTyped] = useState('')
  const ids = chosen.map(({ id }) => id)
  return (
    <div className={field.field}>
      <ComboBox<Option, 'multiple'>
        className={classOf(error, disabled)}
        selectionMode="multiple"
        items={options}
        inputValue={typed}
        value={ids}
        defaultFilter={() => true}
        allowsEmptyCollection
        menuTrigger="focus"
        isDisabled={disabled}
        isInvalid={Boolean(error)}
        validationBehavior="aria"
        onInputChange={(text) => {
          setTyped(text)
          onSearch(text)
        }}
        onOpenChange={(isOpen) => {
          keepFrame(isOpen)
          if (isOpen) onSearch(typed)
        }}
        onChange={(keys) => onChange(keys.map(Number))}
      >
        <Label className={field.label ?? ''}>{label}</Label>
        <div className={field.box}>
          <Input className={field.input ?? ''} placeholder={placeholder} />
          <Button className={styles.arrow ?? ''}>{screenIcons.down}</Button>
        </div>
        <About hint={hint} error={error} />
        <Options empty={empty} label={label} />
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
