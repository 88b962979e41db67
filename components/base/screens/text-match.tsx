type TextPart = { text: string; match: boolean }

/** Splits a text at every match of the search text. The match ignores case. */
export function matchParts(text: string, search: string): TextPart[] {
  if (search === '') return [{ text, match: false }]
  const literal = search.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text
    .split(new RegExp(`(${literal})`, 'iu'))
    .map((part, index) => ({ text: part, match: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

type MarkedTextProps = { text: string; search: string; className: string | undefined }

/** A text with every match of the search marked. */
export function MarkedText({ text, search, className }: MarkedTextProps) {
  let at = 0
  return matchParts(text, search).map((part) => {
    const key = at
    at += part.text.length
    return part.match ? (
      <mark key={key} className={className}>
        {part.text}
      </mark>
    ) : (
      <span key={key}>{part.text}</span>
    )
  })
}

/** The index of the next name that starts with the typed text. The search begins at `from` and wraps around. */
export function nextByPrefix(names: readonly string[], from: number, typed: string): number {
  const wanted = typed.toLocaleLowerCase()
  // A single letter moves to the next match; further letters may keep the current one.
  const first = [...typed].length === 1 ? from + 1 : from
  const places = names.map((_, step) => (first + step) % names.length)
  return places.find((place) => names[place]?.toLocaleLowerCase().startsWith(wanted)) ?? -1
}
