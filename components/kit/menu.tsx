import { lazy, type ReactElement, type RefObject, Suspense } from 'react'
import type { ButtonProps } from './button'
import type { MenuEntries } from './menu-list'
import { Opening, Over } from './opening'

const MenuList = lazy(async () => ({ default: (await import('./overlays')).MenuList }))

export type { MenuEntry, MenuGroup } from './menu-list'

/** A button with a menu. The first child is the button. */
export const MenuButton = ({ children, ...menu }: MenuEntries & { children: ReactElement<ButtonProps> }) => (
  <Opening kind="menu" label={menu.label} button={children}>
    {(close) => <MenuList {...menu} onClose={close} />}
  </Opening>
)

type MenuAtProps = MenuEntries & { at: RefObject<HTMLElement | null>; onClose: () => void }

/** The one menu of all rows of a table: a trigger in each row would cost more than the row. */
export const MenuAt = ({ at, onClose, ...menu }: MenuAtProps) => (
  <Suspense>
    <Over kind="menu" label={menu.label} at={at} onClose={onClose}>
      <MenuList {...menu} onClose={onClose} />
    </Over>
  </Suspense>
)
