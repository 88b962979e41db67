import { type ReactNode, useState } from 'react'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { About } from './about'
import field from './field.module.css'
import { keepFrame } from './keep-frame'
import menu from './menu.module.css'

type SuggestProps = {
  label: string
  hint?: ReactNode
  error?: ReactNode
  /** What is typed. */
  value: string
  placeholder?: string
  suggestions: readonly { text: string; about: string }[]
  /** The list opens with the field. Without it, with the first letter. */
  opensOnFocus?: boolean
  autoFocus?: boolean
  onChange: (value: string) => void
  /** A suggestion, or with Enter what is typed. */
  onChoose: (text: string) => void
}

/** A text that is mostly one of many known ones. */
export function Suggest({
  label,
  hint,
  error,
  value,
  placeholder = '',
  suggestions,
  opensOnFocus = false,
  autoFocus = false,
  ...on
}: SuggestProps) {
  const word = value.trim().toLowerCase()
  // The choice empties the field, which would open the list again.
  const [isChosen, setChosen] = useState(false)
  const items = (isChosen ? [] : suggestions)
    .filter(({ text, about }) => `${text} ${about}`.toLowerCase().includes(word))
    .map(({ text, about }) => ({ id: text, about }))
  return (
    <ComboBox
      className={`${field.field} ${error ? field.wrong : ''}`}
      allowsCustomValue
      items={items}
      inputValue={value}
      value={null}
      defaultFilter={() => true}
      autoFocus={autoFocus}
      menuTrigger={opensOnFocus ? 'focus' : 'input'}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      onInputChange={(text) => {
        if (text !== '') setChosen(false)
        on.onChange(text)
      }}
      onOpenChange={keepFrame}
      onChange={(key) => {
        if (typeof key !== 'string') return
        setChosen(true)
        on.onChoose(key)
      }}
    >
      <Label className={field.label ?? ''}>{label}</Label>
      <div className={field.box}>
        <Input
          className={field.input ?? ''}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={(event) => {
            setChosen(false)
            if (event.key !== 'Enter' || event.currentTarget.hasAttribute('aria-activedescendant')) return
            event.preventDefault()
            if (word !== '') on.onChoose(value)
          }}
        />
      </div>
      <About hint={hint} error={error} />
      <Popover offset={4} maxHeight={320} className={menu.popover ?? ''}>
        <ListBox<(typeof items)[number]> aria-label={label} className={menu.menu ?? ''}>
          {({ id, about }) => (
            <ListBoxItem id={id} textValue={id} className={menu.item ?? ''}>
              <span>{id}</span>
              <small>{about}</small>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
