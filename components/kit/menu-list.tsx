import type { ReactNode } from 'react'
import { Header } from 'react-aria-components/Header'
import { Menu as List, MenuItem, MenuSection } from 'react-aria-components/Menu'
import styles from './menu.module.css'

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

/** In a group that is a choice: the entry that holds. */
const choiceOf = (entries: readonly MenuEntry[]) =>
  entries.some(({ isChosen }) => isChosen !== undefined) && {
    selectionMode: 'single' as const,
    disallowEmptySelection: true,
    selectedKeys: entries.flatMap(({ id, isChosen }) => (isChosen ? [id] : [])),
  }

const asGroups = (entries: readonly MenuEntry[] | readonly MenuGroup[]): readonly MenuGroup[] =>
  entries.every((entry): entry is MenuGroup => 'entries' in entry)
    ? entries
    : [{ entries: entries as readonly MenuEntry[] }]

/** The inside of a menu. It takes the focus. */
export function MenuList({ label, entries, onClose }: MenuEntries & { onClose: () => void }) {
  const groups = asGroups(entries)
  const all = groups.flatMap((group) => group.entries)
  return (
    <List
      aria-label={label}
      className={styles.menu ?? ''}
      autoFocus="first"
      onClose={onClose}
      onAction={(key) => {
        const chosen = all.find(({ id }) => id === key)
        if (chosen?.refused === undefined) chosen?.run()
      }}
    >
      {groups.map((group, index) => (
        <MenuSection
          key={group.title ?? index}
          className={styles.group ?? ''}
          aria-label={group.title ? undefined : label}
          {...choiceOf(group.entries)}
        >
          {group.title && (
            <Header className={styles.title ?? ''}>
              {group.title}
              {group.about && <small>{group.about}</small>}
            </Header>
          )}
          {group.entries.map(({ id, text, icon, about, refused, isDanger, isChosen }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={text}
              shouldCloseOnSelect={refused === undefined}
              ref={(item) => {
                // Disabled for React Aria, it would lose the focus, and nobody could read the reason.
                if (refused === undefined) item?.removeAttribute('aria-disabled')
                else item?.setAttribute('aria-disabled', 'true')
              }}
              className={`${styles.item} ${refused !== undefined ? styles.refused : isDanger ? styles.danger : ''}`}
            >
              {icon}
              <span>{text}</span>
              {(refused ?? about) && <small>{refused ?? about}</small>}
              {isChosen && <i className={styles.chosen} aria-hidden="true" />}
            </MenuItem>
          ))}
        </MenuSection>
      ))}
    </List>
  )
}
