import { useState } from 'react'

/** The members of the list before those that are typed, and whether it ends with these: one from elsewhere does not. */
export function addedOf(list: readonly string[], typed: readonly string[]) {
  const start = list.length - typed.length
  const isPending = start >= 0 && typed.every((member, index) => list[start + index] === member)
  return { isPending, added: isPending ? list.slice(0, start) : list }
}

/**
 * A list with a line to type further members in. What is typed counts as the end of the list, even before it is added: a save sends it, and
 * the rules of the list check it.
 */
export function useTyped(
  list: readonly string[],
  onChange: (list: readonly string[]) => void,
  membersOf: (typed: string) => readonly string[],
) {
  const [text, setText] = useState('')
  const { added, isPending } = addedOf(list, membersOf(text))
  const set = (next: readonly string[], typed: string) => {
    setText(typed)
    onChange([...next, ...membersOf(typed)])
  }
  const typed = isPending ? text : ''
  return {
    added,
    typed,
    type: (next: string) => set(added, next),
    /** Adds members, and clears the line. */
    add: (next: readonly string[]) => set([...new Set([...added, ...next])], ''),
    remove: (gone: string) =>
      set(
        added.filter((member) => member !== gone),
        typed,
      ),
  }
}
