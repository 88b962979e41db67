type TextPart = { text: string; match: boolean }

/** Cuts a text at every place where the search text occurs, whatever its case. */
export function matchParts(text: string, search: string): TextPart[] {
  if (search === '') return [{ text, match: false }]
  const literal = search.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text
    .split(new RegExp(`(${literal})`, 'iu'))
    .map((part, index) => ({ text: part, match: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

/** The place of the next name that begins with what was typed, searched onward from `from` and round the end. */
export function nextByPrefix(names: readonly string[], from: number, typed: string): number {
  const wanted = typed.toLocaleLowerCase()
  // One letter moves on to the next such name; more letters may stay where they still fit.
  const first = [...typed].length === 1 ? from + 1 : from
  const places = names.map((_, step) => (first + step) % names.length)
  return places.find((place) => names[place]?.toLocaleLowerCase().startsWith(wanted)) ?? -1
}
