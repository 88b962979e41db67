import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as Root, SelectValue } from 'react-aria-components/Select'
import { About } from './about'
import field from './field.module.css'
import { icons } from './icons'
import { keepFrame } from './keep-frame'
import menu from './menu.module.css'
import { screenIcons } from './screen-icons'
import styles from './select.module.css'

export type SelectOption<Value extends string> = {
  value: Value
  text: string
  about?: ReactNode
  /** Why it cannot be chosen now. */
  refused?: string | undefined
}

type SelectProps<Value extends string> = {
  label: ReactNode
  /** What surrounds it shows the label already. */
  labelUnseen?: boolean
  hint?: ReactNode
  error?: ReactNode
  options: readonly SelectOption<Value>[]
  value: Value | undefined
  placeholder?: string
  /** In place of options: loading, or none. */
  empty?: ReactNode
  disabled?: boolean
  required?: boolean
  onOpen?: () => void
  onChange: (value: Value) => void
}

/** One of a few. Many are for `Picker`, which searches. */
export function Select<Value extends string>({
  label,
  labelUnseen = false,
  hint,
  error,
  options,
  value,
  placeholder = '',
  empty,
  disabled = false,
  onOpen,
  onChange,
}: SelectProps<Value>) {
  return (
    <Root
      className={`${field.field} ${error ? field.wrong : ''}`}
      aria-label={labelUnseen ? String(label) : undefined}
      value={value ?? null}
      placeholder={placeholder}
      isDisabled={disabled}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      onOpenChange={(isOpen) => {
        keepFrame(isOpen)
        if (isOpen) onOpen?.()
      }}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key)
        if (chosen) onChange(chosen.value)
      }}
    >
      {!labelUnseen && <Label className={field.label ?? ''}>{label}</Label>}
      <Button className={`${field.box} ${styles.button}`}>
        <SelectValue className={styles.value ?? ''}>
          {({ isPlaceholder, defaultChildren }) =>
            isPlaceholder ? defaultChildren : options.find((option) => option.value === value)?.text
          }
        </SelectValue>
        {screenIcons.down}
      </Button>
      <About hint={hint} error={error} />
      <Popover offset={4} maxHeight={320} className={menu.popover ?? ''}>
        <ListBox
          className={menu.menu ?? ''}
          items={options.map((option) => ({ id: option.value, ...option }))}
          renderEmptyState={() => <div className={menu.empty}>{empty}</div>}
        >
          {({ id, text, about, refused }) => (
            <ListBoxItem
              id={id}
              textValue={text}
              className={menu.item ?? ''}
              isDisabled={refused !== undefined}
            >
              <span>{text}</span>
              {(refused ?? about) && <small>{refused ?? about}</small>}
              <i className={menu.mark}>{icons.check}</i>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Root>
  )
}
