import type { ReactElement } from 'react'
import type { ButtonProps } from './button'
import { deferredOver } from './deferred-over'
import type { MenuEntries } from './menu-list'
import { Opener } from './opening'

export type { MenuEntry, MenuGroup } from './menu-list'

/** The one menu of all rows of a table: a trigger in each row would cost more than the row. */
export const MenuAt = deferredOver(async () => (await import('./overlays')).Menu)

/** A button with a menu. The first child is the button. */
export const MenuButton = ({ children, ...menu }: MenuEntries & { children: ReactElement<ButtonProps> }) => (
  <Opener kind="menu" button={children}>
    {(opened) => <MenuAt {...menu} {...opened} />}
  </Opener>
)
