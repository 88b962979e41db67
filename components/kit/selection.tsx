import type { ReactNode } from 'react'
import { MenuButton, type MenuEntry } from './menu'
import { screenIcons } from './screen-icons'
import styles from './selection.module.css'
import { Tool } from './tool'

type SelectionProps = {
  /** How many rows are selected, or how far their change is. */
  text: string
  clearLabel: string
  moreLabel: string
  actions: readonly MenuEntry[]
  onClear: () => void
  /** Between the text and the actions: select all that match. */
  children?: ReactNode
}

const inBand = 3

/** The inside of a band while rows are selected. The first three possible actions are buttons, the others are in a menu. */
export function Selection({ text, clearLabel, moreLabel, actions, onClear, children }: SelectionProps) {
  const isPossible = ({ refused }: MenuEntry) => refused === undefined
  const inOrder = [...actions.filter(isPossible), ...actions.filter((action) => !isPossible(action))]
  const rest = inOrder.slice(inBand)
  return (
    <div className={styles.selection}>
      <Tool look="quiet" icon={screenIcons.close} label={clearLabel} onPress={onClear} />
      <strong role="status">{text}</strong>
      {children}
      <span className={styles.actions}>
        {inOrder.slice(0, inBand).map(({ id, text: name, refused, run }) => (
          <Tool key={id} refused={refused} onPress={run}>
            {name}
          </Tool>
        ))}
        {rest.length > 0 && (
          <MenuButton label={moreLabel} entries={rest}>
            <Tool icon={screenIcons.more} label={moreLabel} />
          </MenuButton>
        )}
      </span>
    </div>
  )
}
