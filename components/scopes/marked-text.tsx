import styles from './scopes.module.css'
import { matchParts } from './text-match'

/** A text in which every place that the search found is marked. */
export function MarkedText({ text, search }: { text: string; search: string }) {
  let at = 0
  return matchParts(text, search).map((part) => {
    const key = at
    at += part.text.length
    return part.match ? (
      <mark key={key} className={styles.match}>
        {part.text}
      </mark>
    ) : (
      <span key={key}>{part.text}</span>
    )
  })
}
