import { cloneElement, type ReactElement, type ReactNode, useRef, useState } from 'react'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import type { ButtonProps } from './button'
import styles from './menu.module.css'

type OpeningProps = {
  kind: 'menu' | 'dialog'
  label: string
  button: ReactElement<ButtonProps>
  placement?: PopoverProps['placement']
  children: (close: () => void) => ReactNode
}

/** A button and what opens below it. Escape and a press beside it close it, and the focus returns to the button. */
export function Opening({ kind, label, button, placement = 'bottom end', children }: OpeningProps) {
  const [isOpen, setOpen] = useState(false)
  const at = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  return (
    <>
      {cloneElement(button, {
        ref: at,
        'aria-haspopup': kind,
        'aria-expanded': isOpen,
        onPress: () => setOpen(true),
        onKeyDown: (event) => {
          if (kind !== 'menu' || event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        },
      })}
      {isOpen && (
        <Popover
          isOpen
          triggerRef={at}
          aria-label={label}
          offset={4}
          placement={placement}
          className={styles.popover ?? ''}
          onOpenChange={close}
        >
          {children(close)}
        </Popover>
      )}
    </>
  )
}
