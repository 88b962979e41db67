import { Button } from 'react-aria-components/Button'
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup'
import { screenIcons } from './screen-icons'
import styles from './tokens.module.css'

type TokensProps<Id extends string | number> = {
  label: string
  items: readonly { id: Id; name: string }[]
  removeLabel: (name: string) => string
  /** Absent: they stay. */
  onRemove?: ((id: Id) => void) | undefined
}

/** What is chosen, each with a button that removes it. Backspace does too. */
export const Tokens = <Id extends string | number>({
  label,
  items,
  removeLabel,
  onRemove,
}: TokensProps<Id>) => (
  <TagGroup
    aria-label={label}
    onRemove={
      onRemove &&
      ((keys) => {
        const gone = items.find(({ id }) => keys.has(id))
        if (gone) onRemove(gone.id)
      })
    }
  >
    <TagList items={items} className={styles.tags ?? ''} dependencies={[onRemove === undefined]}>
      {({ id, name }) => (
        <Tag id={id} textValue={name} className={styles.tag ?? ''}>
          {name}
          {onRemove && (
            <Button slot="remove" aria-label={removeLabel(name)}>
              {screenIcons.close}
            </Button>
          )}
        </Tag>
      )}
    </TagList>
  </TagGroup>
)
