import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import styles from './menu.module.css'

/* All that opens over a screen: one file, which the frame loads with the first key or move of the pointer (docs/performance.md). */

// biome-ignore lint/performance/noBarrelFile: they are loaded together.
export { Dialog } from './dialog'
export { MenuList } from './menu-list'
export { closeStaying, show, ToastRegion } from './toast-region'

export type OverProps = {
  kind: 'menu' | 'dialog'
  label: string
  at: RefObject<HTMLElement | null>
  placement?: PopoverProps['placement']
  /** Of a dialog. */
  className?: string | undefined
  onClose: () => void
  children: ReactNode
}

/** What a button opens beside it. */
export const Over = ({
  kind,
  label,
  at,
  placement = 'bottom end',
  className,
  onClose,
  children,
}: OverProps) => (
  <Popover
    isOpen
    triggerRef={at}
    aria-label={label}
    offset={kind === 'menu' ? 2 : 4}
    placement={placement}
    className={styles.popover ?? ''}
    onOpenChange={onClose}
  >
    {kind === 'menu' ? (
      children
    ) : (
      <Dialog aria-label={label} className={className ?? ''}>
        {children}
      </Dialog>
    )}
  </Popover>
)
