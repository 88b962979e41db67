import { type ClientOperation, type End, isUnsure } from '#lib/tools/testing/cluster/history'

/* The stream of events and webhooks against the journal. */

type Rule = (
  operations: readonly ClientOperation[],
  end: Pick<End, 'journal' | 'feed' | 'hooks' | 'unsure'>,
) => string[]

export const order: Rule = (_operations, { journal, feed, unsure }) => {
  const places = new Map(journal.map(({ id }, place) => [id, place]))
  const seen = new Set<number>()
  const sure = new Set<number>()
  const faults: string[] = []
  let last = -1
  for (const { id, at } of feed) {
    const place = places.get(id)
    if (isUnsure({ unsure }, at)) last = place ?? last
    else if (place === undefined) faults.push(`the stream had event ${id}, which the journal does not have`)
    else if (sure.has(id)) faults.push(`the stream repeated event ${id}`)
    else if (place < last) faults.push(`the stream had event ${id} too late`)
    else last = place
    seen.add(id)
    if (!isUnsure({ unsure }, at)) sure.add(id)
  }
  // A stream whose place was the one of an event that is gone begins too late on another primary.
  const missed = journal.filter(({ id, at }) => !seen.has(id) && !isUnsure({ unsure }, at))
  return [...faults, ...missed.map(({ id, action }) => `the stream left out event ${id} (${action})`)]
}

/** Each event after the creation of the webhook, at least once: repetitions are allowed. */
export const hooks: Rule = (_operations, { journal, hooks: delivered, unsure }) => {
  const ids = new Set(journal.map(({ id }) => id))
  const sent = new Set(delivered.map(({ id }) => id))
  const sure = new Set(delivered.filter(({ at }) => !isUnsure({ unsure }, at)).map(({ id }) => id))
  const created = journal.findIndex(({ entity }) => entity === 'webhook')
  return [
    ...[...sure]
      .filter((id) => !ids.has(id))
      .map((id) => `a webhook reported event ${id}, which is not there`),
    ...journal
      .slice(created + 1)
      .filter(({ id }) => !sent.has(id))
      .map(({ id, action }) => `no webhook for event ${id} (${action})`),
  ]
}
