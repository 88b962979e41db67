import type { End, Operation } from '#lib/testing/cluster/history'

/* The stream of events and webhooks against the journal. */

type Rule = (operations: readonly Operation[], end: Pick<End, 'journal' | 'feed' | 'hooks'>) => string[]

export const order: Rule = (_operations, { journal, feed }) => {
  const places = new Map(journal.map(({ id }, place) => [id, place]))
  const seen = new Set<number>()
  const faults: string[] = []
  let last = -1
  for (const id of feed) {
    const place = places.get(id)
    if (place === undefined) faults.push(`the stream had event ${id}, which the journal does not have`)
    else if (seen.has(id)) faults.push(`the stream repeated event ${id}`)
    else if (place < last) faults.push(`the stream had event ${id} too late`)
    else last = place
    seen.add(id)
  }
  const missed = journal.filter(({ id }) => !seen.has(id))
  return [...faults, ...missed.map(({ id, action }) => `the stream left out event ${id} (${action})`)]
}

/** Each event after the creation of the webhook, at least once: repetitions are allowed. */
export const hooks: Rule = (_operations, { journal, hooks: delivered }) => {
  const ids = new Set(journal.map(({ id }) => id))
  const sent = new Set(delivered)
  const created = journal.findIndex(({ entity }) => entity === 'webhook')
  return [
    ...[...sent]
      .filter((id) => !ids.has(id))
      .map((id) => `a webhook reported event ${id}, which is not there`),
    ...journal
      .slice(created + 1)
      .filter(({ id }) => !sent.has(id))
      .map(({ id, action }) => `no webhook for event ${id} (${action})`),
  ]
}
