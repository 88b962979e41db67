import { setImmediate } from 'node:timers/promises'

/** The items of the lists of a JSON object, each with its line, and the object with the index of each item in its place. */
export type JsonItems = { frame: unknown; items: { line: number; value: unknown }[] }

const MAX_DEPTH = 16

/** Other requests run after so many characters. */
const BREATH = 500_000

/**
 * Parses a JSON object of lists item by item: one JSON.parse of 64 MiB would block the event loop for a second, and would not say on which
 * line an item is. Throws SyntaxError.
 */
export async function readJsonItems(text: string): Promise<JsonItems> {
  const items: JsonItems['items'] = []
  let frame = ''
  let [depth, line, copied, start, startLine, breath] = [0, 1, 0, 0, 1, BREATH]
  for (let place = 0; place < text.length; place += 1) {
    if (place > breath) {
      await setImmediate()
      breath = place + BREATH
    }
    const letter = text[place]
    if (letter === '"') place = endOfString(text, place)
    else if (letter === '\n') line += 1
    else if (letter === '{' || letter === '[') {
      depth += 1
      if (depth > MAX_DEPTH) throw new SyntaxError('nested too deep')
      if (depth === 3) [start, startLine] = [place, line]
    } else if (letter === '}' || letter === ']') {
      if (depth === 3) {
        frame += `${text.slice(copied, start)}${items.length}`
        items.push({ line: startLine, value: JSON.parse(text.slice(start, place + 1)) as unknown })
        copied = place + 1
      }
      depth -= 1
    }
  }
  return { frame: JSON.parse(frame + text.slice(copied)) as unknown, items }
}

/** A string of JSON has no line break. */
function endOfString(text: string, start: number): number {
  let place = start + 1
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1
  return place
}
