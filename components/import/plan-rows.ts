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

type Item = Pick<PlanDocument['refusals'][number], 'line' | 'entity' | 'name'>

const itemOf = ({ line, entity, name }: Item): string =>
  line === undefined ? `${entity} ${name}` : String(line)

/** The operations that are not refused. */
function goodIn({ operations, refusals }: PlanDocument) {
  const refused = new Set(refusals.map(itemOf))
  return operations.filter((operation) => !refused.has(itemOf(operation)))
}

/** The number of changes that would be applied without the refused lines. */
export const changesIn = (plan: PlanDocument): number => goodIn(plan).length

/** Whether the plan of the good lines alone changes exactly what this plan shows of them: both read the present state, at two times. */
export function hasSameChanges(shown: PlanDocument, good: PlanDocument): boolean {
  // Lines have other numbers in the shorter file.
  const texts = (plan: PlanDocument) =>
    goodIn(plan)
      .map(({ line: _line, ...operation }) => JSON.stringify(operation))
      .sort()
  return texts(shown).join('\n') === texts(good).join('\n')
}

/** The lines of the file that are refused; undefined if the others cannot be applied without them. */
export function linesToLeave({ mode, incomplete, refusals }: PlanDocument): Set<number> | undefined {
  const lines = refusals.flatMap(({ line }) => line ?? [])
  // `replace` would delete the rows of the lines that are left out.
  return mode === 'merge' && !incomplete && lines.length === refusals.length ? new Set(lines) : undefined
}

/** The refusals first: the plan cannot be applied before they are gone. */
export function rowsOf(plan: PlanDocument): PlanRow[] {
  const { refusals } = plan
  const refused = refusals.map(({ line, name = '', field, code, message }, index): PlanRow => {
    return { id: `r${index}`, kind: 'refused', line, name, place: undefined, lines: [message], field, code }
  })
  const planned = goodIn(plan).map(({ operation, line, name, place, changes }, index): PlanRow => {
    const lines = operation === 'delete' ? [] : changes.map(changeText)
    return { id: `o${index}`, kind: operation, line, name, place, lines, field: undefined, code: undefined }
  })
  return [...refused, ...planned]
}

/** `lines`: the refused lines, of which each can have several refusals. */
export type Counts = Readonly<Record<PlanView | 'none' | 'lines', number>>

export function countsOf(plan: PlanHead | PlanDocument): Counts {
  const { totals, refused } = plan
  const total = (kind: OperationKind | 'none') => totals.reduce((all, total) => all + total[kind], 0)
  const good = 'operations' in plan ? goodIn(plan) : undefined
  const sum = (kind: OperationKind) =>
    good ? good.filter(({ operation }) => operation === kind).length : total(kind)
  const lines = 'refusals' in plan ? new Set(plan.refusals.map(itemOf)).size : refused
  const [create, update, gone] = [sum('create'), sum('update'), sum('delete')]
  return {
    all: create + update + gone + refused,
    create,
    update,
    delete: gone,
    none: total('none'),
    refused,
    lines,
  }
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
