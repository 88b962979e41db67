import Box from '@cloudscape-design/components/box'
import { useTranslations } from 'use-intl'
import type { EventDocument } from '#lib/events/events.schema'

const shown = 2

/** The names of the fields that changed. */
export function ChangesInShort({ changes }: Pick<EventDocument, 'changes'>) {
  const say = useTranslations('events.changed')
  const fields = Object.keys(changes)
  if (fields.length === 0) return <Box color="text-body-secondary">{say('nothing')}</Box>
  const names = fields.slice(0, shown).join(', ')
  const more = fields.length - shown
  return more > 0 ? say('andMore', { names, count: more }) : names
}
