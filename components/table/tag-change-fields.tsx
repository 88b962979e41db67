import { useTranslations } from 'use-intl'
import { TagsField } from '#components/base/forms/note-fields'
import { Stack } from '#components/kit/layout'
import { noted } from '#lib/caller/kinds/notes.schema'
import { countedTags, isNamed } from '#lib/caller/kinds/tag-names'

type Tags = { addTags: readonly string[]; removeTags: readonly string[] }

/** `isReady`: it changes something, and the names are valid. */
export type TagChange = Tags & { isReady: boolean }

type Tagged = { tags: readonly string[] }

type FieldsProps = {
  change: TagChange
  onChange: (change: TagChange) => void
  /** None if they are not known. */
  rows: readonly Tagged[]
}

/** The tags to add and to remove, and how many of the rows that changes. */
export function TagChangeFields({ change, onChange, rows }: FieldsProps) {
  const say = useTranslations('layout.bulk.tags')
  const sayForms = useTranslations('forms.tags')
  const set = (tags: Partial<Tags>) => onChange(readied({ ...change, ...tags }))
  const wrong = (names: readonly string[]) => (areValid(names) ? undefined : sayForms('wrong'))
  const count = rows.filter((row) => isChanged(row, change)).length
  const isEmpty = change.addTags.length + change.removeTags.length === 0
  return (
    <Stack gap="m">
      <TagsField
        label={say('add')}
        autoFocus
        hint={undefined}
        error={wrong(change.addTags)}
        value={change.addTags}
        onChange={(addTags) => set({ addTags })}
      />
      <TagsField
        label={say('remove')}
        hint={undefined}
        error={wrong(change.removeTags)}
        value={change.removeTags}
        known={rows.length > 0 ? countedTags(rows.flatMap(({ tags }) => tags)) : undefined}
        onChange={(removeTags) => set({ removeTags })}
      />
      <div role="status" className="quiet">
        {rows.length > 0 && !isEmpty && say('preview', { count, total: rows.length })}
      </div>
    </Stack>
  )
}

const areValid = (names: readonly string[]): boolean => noted.tags.safeParse(names).success

const readied = ({ addTags, removeTags }: Tags): TagChange => ({
  addTags,
  removeTags,
  isReady: addTags.length + removeTags.length > 0 && [addTags, removeTags].every(areValid),
})

const isChanged = ({ tags }: Tagged, { addTags, removeTags }: Tags): boolean =>
  tags.some((tag) => isNamed(removeTags, tag)) || addTags.some((tag) => !isNamed(tags, tag))
