import { lazy, type ReactElement, type ReactNode, type RefObject, Suspense } from 'react'
import type { ButtonProps } from './button'
import { Opening } from './opening'

const Over = lazy(async () => ({ default: (await import('./overlays')).Over }))
const MenuList = lazy(async () => ({ default: (await import('./overlays')).MenuList }))

export type MenuEntry = {
  id: string
  text: string
  icon?: ReactNode
  /** In small letters: its key, for example. */
  about?: string
  /** Why it cannot be done now. The entry keeps the focus, so that everybody can read the reason. */
  refused?: string | undefined
  isDanger?: boolean
  /** One of a choice: whether it holds now. A group has entries of one kind. */
  isChosen?: boolean
  run: () => void
}
export type MenuGroup = {
  title?: string
  /** Below the title. */
  about?: string
  entries: readonly MenuEntry[]
}

export type MenuEntries = { label: string; entries: readonly MenuEntry[] | readonly MenuGroup[] }

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
