import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import styles from './menu.module.css'
import { type MenuEntries, MenuList } from './menu-list'

/* All that opens over a screen: one file, which the frame loads with the first key or move of the pointer (docs/performance.md). */

// biome-ignore lint/performance/noBarrelFile: they are loaded together.
export { Dialog } from './dialog'
export { closeStaying, show, ToastRegion } from './toast-region'

type OpenedProps = { label: string; at: RefObject<HTMLElement | null>; onClose: () => void }

export type MenuProps = OpenedProps & MenuEntries

export const Menu = ({ at, ...menu }: MenuProps) => (
  <Popover
    isOpen
    triggerRef={at}
    aria-label={menu.label}
    offset={2}
    placement="bottom end"
    className={styles.popover ?? ''}
    onOpenChange={menu.onClose}
  >
    <MenuList {...menu} />
  </Popover>
)

export type OverProps = OpenedProps & {
  placement?: PopoverProps['placement']
  className?: string | undefined
  children: ReactNode
}

/** What a button opens beside it. */
export const Over = ({ label, at, placement = 'bottom end', className, onClose, children }: OverProps) => (
  <Popover
    isOpen
    triggerRef={at}
    aria-label={label}
    offset={4}
    placement={placement}
    className={styles.popover ?? ''}
    onOpenChange={onClose}
  >
    <Dialog aria-label={label} className={className ?? ''}>
      {children}
    </Dialog>
  </Popover>
)
