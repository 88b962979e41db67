import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deferred } from '#components/kit/deferred'
import { noted } from '#lib/caller/kinds/notes.schema'
import type { BulkCall } from '#lib/record/jobs/bulk.queries'
import type { BulkAction } from './bulk'
import type { TagChange } from './tag-change-fields'

const TagChangeFields = deferred(async () => (await import('./tag-change-fields')).TagChangeFields)

type Tagged = { tags: readonly string[] }

const nothing: TagChange = { addTags: [], removeTags: [] }

const isReady = ({ addTags, removeTags }: TagChange): boolean =>
  addTags.length + removeTags.length > 0 &&
  [addTags, removeTags].every((names) => noted.tags.safeParse(names).success)

type TagActionProps<Row> = Pick<BulkAction<Row>, 'needs' | 'counted' | 'changed'> & {
  /** The selected rows; none if all matching rows are selected. */
  selected: readonly Row[]
  callWith: (change: TagChange) => BulkCall
}

/** Adds tags to many rows, and removes others. */
export function useTagAction<Row extends Tagged>(props: TagActionProps<Row>): BulkAction<Row> {
  const { selected, callWith, changed, ...action } = props
  const say = useTranslations('layout.bulk.tags')
  const [change, setChange] = useState(nothing)
  return {
    ...action,
    id: 'tags',
    label: say('label'),
    call: callWith(change),
    done: (rows) => say('done', rows),
    changed: () => {
      // The next dialog is empty, unless it was opened during this change.
      setChange((present) => (present === change ? nothing : present))
      changed()
    },
    asks: 'always',
    confirm: (rows) => ({
      title: say('title', rows),
      text: <TagChangeFields change={change} onChange={setChange} rows={selected} />,
      isReady: isReady(change),
    }),
  }
}
