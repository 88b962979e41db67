import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import styles from './table.module.css'
import type { TableColumn } from './table-columns'

export type RowAction = {
  id: string
  text: string
  /** Why the action is disabled. */
  refused: string | undefined
  run: () => void
}

type RowMenuOptions<Row> = {
  /** The name of the menu of a row. */
  labelOf: (row: Row) => string
  actionsOf: (row: Row) => readonly RowAction[]
}

/** A button in each row, and one menu for all of them: a menu in each row would cost more than the row. */
export function useRowMenu<Row>({ labelOf, actionsOf }: RowMenuOptions<Row>) {
  const [open, setOpen] = useState<{ row: Row; button: HTMLElement }>()
  const column: TableColumn<Row> = {
    id: 'actions',
    cell: (row) => (
      <button
        type="button"
        className={styles.dots}
        aria-label={labelOf(row)}
        aria-haspopup="menu"
        onClick={(event) => setOpen({ row, button: event.currentTarget })}
      />
    ),
  }
  const menu = open && (
    <Menu
      label={labelOf(open.row)}
      actions={actionsOf(open.row)}
      button={open.button}
      onClose={() => setOpen(undefined)}
    />
  )
  return { column, menu }
}

type MenuProps = {
  label: string
  actions: readonly RowAction[]
  button: HTMLElement
  onClose: () => void
}

/** The browser closes it on Escape or a click elsewhere, and then returns the focus. */
function Menu({ label, actions, button, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!menu.current) return
    menu.current.showPopover()
    placeBeside(menu.current, button)
    itemsIn(menu.current)[0]?.focus()
  }, [button])
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      aria-label={label}
      className={styles.menu}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      onKeyDown={moveFocus}
    >
      {actions.map(({ id, text, refused, run }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={refused !== undefined}
          onClick={() => {
            if (refused !== undefined) return
            menu.current?.hidePopover()
            run()
          }}
        >
          {text}
          {refused !== undefined && <small>{refused}</small>}
        </button>
      ))}
    </div>
  )
}

const itemsIn = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role="menuitem"]'),
]

const gap = 4

/** Below the button, or above where the window ends. */
function placeBeside(menu: HTMLElement, button: HTMLElement): void {
  const { bottom, top, right } = button.getBoundingClientRect()
  const { offsetHeight: height, offsetWidth: width } = menu
  const fits = bottom + gap + height <= innerHeight
  menu.style.top = `${fits ? bottom + gap : Math.max(gap, top - gap - height)}px`
  menu.style.left = `${Math.max(gap, right - width)}px`
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsIn(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}
