import type { Fields } from '#lib/state/reconcile/sent'

/* Ends of restored documents that are over (docs/api/ends.md, "Ends"): they would end again at once. */

export const isOver = ({ ends }: Record<'ends', unknown> | Fields | { ends?: string | undefined }): boolean =>
  typeof ends === 'string' && Date.parse(ends) <= Date.now()

/** A resource without an end gets none that is over. Another one is refused (ENDS-1), because it would lose its present end. */
export const withoutPastEnd = (document: Fields, now: Fields): Fields =>
  isOver(document) && now.ends === undefined ? { ...document, ends: '' } : document

/** A deleted resource whose end has passed meanwhile is restored as it would be after its end. */
export const asEnded = (document: Fields): Fields =>
  isOver(document) ? { ...document, ends: '', ...('active' in document && { active: false }) } : document
