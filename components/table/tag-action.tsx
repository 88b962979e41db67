import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deferred } from '#components/kit/deferred'
import type { BulkCall } from '#lib/record/jobs/bulk.queries'
import type { BulkAction } from './bulk'
import type { TagChange } from './tag-change-fields'

const TagChangeFields = deferred(async () => (await import('./tag-change-fields')).TagChangeFields)

type Tagged = { tags: readonly string[] }

const nothing: TagChange = { addTags: [], removeTags: [], isReady: false }

type TagActionProps<Row> = Pick<BulkAction<Row>, 'needs' | 'counted' | 'changed'> & {
  /** The selected rows; none if all matching rows are selected. */
  selected: readonly Row[]
  callWith: (change: Pick<TagChange, 'addTags' | 'removeTags'>) => BulkCall
}

/** Adds tags to many rows, and removes others. */
export function useTagAction<Row extends Tagged>(props: TagActionProps<Row>): BulkAction<Row> {
  const { selected, callWith, changed, ...action } = props
  const say = useTranslations('layout.bulk.tags')
  const [change, setChange] = useState(nothing)
  const { addTags, removeTags, isReady } = change
  return {
    ...action,
    id: 'tags',
    label: say('label'),
    call: callWith({ addTags, removeTags }),
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
      isReady,
    }),
  }
}
