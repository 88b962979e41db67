import type { ReactNode } from 'react'

/* Two people changed the same resource. Each field of the form is theirs, mine, or for lists both. */

/** How a field reads in a conflict. The members of a list are shown, and merged, one by one. */
export type ShownField<Value> =
  | { label: string; text: (value: Value) => ReactNode }
  | { label: string; members: (members: Value) => ReactNode }

/** Every field of a draft: a form cannot forget one. null: only this form has the field, such as a new password. */
export type ShownFields<Draft> = { [Field in keyof Draft]-?: ShownField<Draft[Field]> | null }

export type Choice = 'theirs' | 'mine' | 'both'
export type Choices<Draft> = Partial<Record<keyof Draft, Choice>>

/** `before` is the version that the form started with, `theirs` is the saved version. */
export type Versions<Draft> = { before: Draft; theirs: Draft; mine: Draft }

/** The text form of a value for comparisons. The name of a linked resource does not matter, nor does the order of a list. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(keyOf).sort())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const { id, href } = value as { id?: unknown; href?: unknown }
  return JSON.stringify(id ?? href ?? value)
}

export const isSameValue = (one: unknown, other: unknown): boolean => keyOf(one) === keyOf(other)

/** The members of `list` that `other` lacks. */
export function lacking<Member>(list: readonly Member[], other: readonly Member[]): Member[] {
  const known = new Set(other.map(keyOf))
  return list.filter((member) => !known.has(keyOf(member)))
}

/** The shown fields in which the two versions differ. */
export const differingFields = <Draft extends object>(
  shown: ShownFields<Draft>,
  { theirs, mine }: Versions<Draft>,
): (keyof Draft)[] =>
  (Object.keys(shown) as (keyof Draft)[]).filter(
    (field) => shown[field] !== null && !isSameValue(theirs[field], mine[field]),
  )

/** Whose value stays if only one of them changed the field. undefined: the user decides. */
export function proposedChoice<Draft>(
  field: keyof Draft,
  { before, theirs, mine }: Versions<Draft>,
): Choice | undefined {
  if (isSameValue(mine[field], before[field])) return 'theirs'
  if (isSameValue(theirs[field], before[field])) return 'mine'
  return Array.isArray(mine[field]) ? 'both' : undefined
}

export function chosenValue<Draft, Field extends keyof Draft>(
  field: Field,
  choice: Choice | undefined,
  { before, theirs, mine }: Versions<Draft>,
): Draft[Field] {
  const [was, saved, own] = [before[field], theirs[field], mine[field]]
  if (choice === 'both' && Array.isArray(was) && Array.isArray(saved) && Array.isArray(own)) {
    const removed = new Set(lacking(was, own).map(keyOf))
    const kept = saved.filter((member) => !removed.has(keyOf(member)))
    return [...kept, ...lacking(lacking(own, was), kept)] as Draft[Field]
  }
  return choice === 'theirs' ? saved : own
}
