import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useRef, useState } from 'react'
import type { ButtonProps } from './button'
import type { OverProps } from './overlays'

export const Over = lazy(async () => ({ default: (await import('./overlays')).Over }))

type OpeningProps = Pick<OverProps, 'kind' | 'label' | 'placement' | 'className'> & {
  button: ReactElement<ButtonProps>
  children: (close: () => void) => ReactNode
}

/** A button and what opens beside it. Escape and a press elsewhere close it, and the focus returns to the button. */
export function Opening({ button, children, ...over }: OpeningProps) {
  const [isOpen, setOpen] = useState(false)
  const at = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  return (
    <>
      {cloneElement(button, {
        ref: at,
        'aria-haspopup': over.kind,
        'aria-expanded': isOpen,
        onPress: () => setOpen(true),
        onKeyDown: (event) => {
          if (over.kind !== 'menu' || event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        },
      })}
      {isOpen && (
        <Suspense>
          <Over {...over} at={at} onClose={close}>
            {children(close)}
          </Over>
        </Suspense>
      )}
    </>
  )
}
