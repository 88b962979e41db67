import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { ButtonProps } from './button'
import { deferredOver } from './deferred-over'
import type { OverProps } from './overlays'

const Over = deferredOver(async () => (await import('./overlays')).Over)

type OpenerProps = {
  kind: 'menu' | 'dialog'
  button: ReactElement<ButtonProps>
  /** Opens it from elsewhere. Returns the function that ends the listening. */
  opens?: ((open: () => void) => () => void) | undefined
  children: (opened: { at: RefObject<HTMLElement | null>; onClose: () => void }) => ReactNode
}

/** A button and what opens beside it. Escape and a press elsewhere close it, and the focus returns to the button. */
export function Opener({ kind, button, opens, children }: OpenerProps) {
  const [isOpen, setOpen] = useState(false)
  const at = useRef<HTMLButtonElement>(null)
  useEffect(() => opens?.(() => setOpen(true)), [opens])
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
      {isOpen && children({ at, onClose: () => setOpen(false) })}
    </>
  )
}

type OpeningProps = Pick<OverProps, 'label' | 'placement' | 'className'> &
  Pick<OpenerProps, 'button' | 'opens'> & { children: (close: () => void) => ReactNode }

/** A button with a small dialog beside it. */
export const Opening = ({ button, opens, children, ...over }: OpeningProps) => (
  <Opener kind="dialog" button={button} opens={opens}>
    {(opened) => (
      <Over {...over} {...opened}>
        {children(opened.onClose)}
      </Over>
    )}
  </Opener>
)
