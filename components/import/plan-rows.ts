import type { OperationKind, PlanDocument, PlanHead } from '#lib/state/plans/plans.schema'

export const planViews = ['all', 'create', 'update', 'delete', 'refused'] as const
export type PlanView = (typeof planViews)[number]

/** An operation of a plan, or one of its refusals. */
export type PlanRow = {
  id: string
  kind: OperationKind | 'refused'
  line: number | undefined
  name: string
  place: string | undefined
  /** The changes, one field a line; for a refusal, the message. */
  lines: string[]
  /** The column that a refusal is about. */
  field: string | undefined
  code: string | undefined
}

type Changed = PlanDocument['operations'][number]['changes'][number]

const changeText = ({ field, before, after }: Changed): string =>
  before === undefined || before === '' ? `${field}: ${after ?? ''}` : `${field}: ${before} → ${after || '–'}`

/** The refusals first: nothing can be applied before they are gone. */
export function rowsOf({ operations, refusals }: PlanDocument): PlanRow[] {
  const refused = refusals.map(({ line, name = '', field, code, message }, index): PlanRow => {
    return { id: `r${index}`, kind: 'refused', line, name, place: undefined, lines: [message], field, code }
  })
  const planned = operations.map(({ operation, line, name, place, changes }, index): PlanRow => {
    const lines = operation === 'delete' ? [] : changes.map(changeText)
    return { id: `o${index}`, kind: operation, line, name, place, lines, field: undefined, code: undefined }
  })
  return [...refused, ...planned]
}

export type Counts = Readonly<Record<PlanView | 'none', number>>

export function countsOf({ totals, refused }: PlanHead): Counts {
  const sum = (kind: OperationKind | 'none') => totals.reduce((all, total) => all + total[kind], 0)
  const [create, update, gone] = [sum('create'), sum('update'), sum('delete')]
  return { all: create + update + gone + refused, create, update, delete: gone, none: sum('none'), refused }
}

const contains = (text: string | undefined, word: string): boolean =>
  text?.toLowerCase().includes(word) ?? false

/** The rows of a view whose name, place, changes or code contain the text. */
export function narrowed(rows: readonly PlanRow[], view: PlanView, text: string): PlanRow[] {
  const word = text.trim().toLowerCase()
  return rows.filter(
    ({ kind, name, place, lines, code }) =>
      (view === 'all' || kind === view) &&
      [name, place, code, ...lines].some((part) => word === '' || contains(part, word)),
  )
}
