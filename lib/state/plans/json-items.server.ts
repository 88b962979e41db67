import { ApiError, fault } from '#lib/ground/http/errors'

/** An item in a list of the document: the name of its list, its first line, and its JSON. */
export type JsonItem = { list: string; line: number; text: string }

const MAX_DEPTH = 16
/** The depth of an item: below the document and its list. */
const ITEM = 3

/** Characters and values of one item. A scope of 10,000 enterprises and 10,000 datacenters fits. */
const LONGEST_ITEM = 4 * 1024 * 1024
const MOST_VALUES = 30_000

/** Characters outside of items, without spaces. */
const LONGEST_FRAME = 1024 * 1024

const wrong = (why: string): ApiError => new ApiError(fault('GEN-3', `The document ${why}`))

const notLists = (): ApiError => wrong('must be an object of lists of objects')

/** The parser's error may quote a password from the document. Throws GEN-3. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong('is not valid JSON')
  }
}

/**
 * Reads a JSON object of lists piece by piece, as it arrives, and parses it item by item: one JSON.parse of 64 MiB would block the event
 * loop for a second, and would not know the line of an item. Text that cannot be such a document is refused at once.
 */
export class JsonItems {
  #depth = 0
  #line = 1
  #isInString = false
  #isEscaped = false
  /** The text without the items, each of which is an empty object here. */
  #frame = ''
  #item = ''
  #itemLine = 0
  #values = 0
  /** The last character of the frame. */
  #last = ''
  /** The last text in the frame, which names the list that follows. */
  #text = ''
  #list = ''
  readonly #lists = new Set<string>()

  /** The object with an empty object for each item. Throws GEN-3. */
  end(): unknown {
    return parsed(this.#frame)
  }

  /** The items that end in this piece. Throws GEN-3. */
  *push(piece: string): Generator<JsonItem> {
    let start = 0
    for (let place = 0; place < piece.length; place += 1) {
      const letter = piece.charAt(place)
      if (this.#isInString) {
        this.#inString(letter)
        continue
      }
      if (letter === '{' || letter === '[') {
        this.#open(letter)
        if (this.#depth === ITEM) start = place
      } else if (letter === '}' || letter === ']') {
        if (this.#depth === ITEM) {
          const text = this.#item + piece.slice(start, place + 1)
          this.#item = ''
          this.#depth -= 1
          this.#note('{}')
          yield { list: this.#list, line: this.#itemLine, text }
        } else this.#close(letter)
      } else this.#other(letter)
    }
    if (this.#depth >= ITEM) this.#item += piece.slice(start)
    if (this.#item.length > LONGEST_ITEM) throw wrong('has a thing that is too long')
  }

  #inString(letter: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (letter === '\\') this.#isEscaped = true
    else if (letter === '"') this.#isInString = false
    if (this.#depth >= ITEM) return
    if (this.#isInString || letter !== '"') this.#text += letter
    this.#note(letter)
  }

  #other(letter: string): void {
    if (letter === '\n') this.#line += 1
    else if (letter === '"') {
      this.#isInString = true
      if (this.#depth < ITEM) this.#text = ''
    }
    if (this.#depth >= ITEM) this.#values += letter === ',' ? 1 : 0
    else if (!' \n\r\t'.includes(letter)) {
      if (this.#depth === ITEM - 1 && letter !== ',') throw notLists()
      this.#note(letter)
    }
    if (this.#values > MOST_VALUES) throw wrong(`has a thing of more than ${MOST_VALUES} values`)
  }

  #open(letter: string): void {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw wrong(`is nested deeper than ${MAX_DEPTH}`)
    if (this.#depth > ITEM) return
    if (letter !== ['', '{', '[', '{'][this.#depth]) throw notLists()
    if (this.#depth < ITEM) {
      if (letter === '[') this.#begin()
      this.#note(letter)
      return
    }
    if (this.#last !== '[' && this.#last !== ',')
      throw wrong(`is not valid JSON: nothing separates the things on line ${this.#line}`)
    this.#itemLine = this.#line
    this.#values = 0
  }

  #begin(): void {
    this.#list = String(parsed(`"${this.#text}"`))
    if (this.#lists.has(this.#list)) throw wrong(`has two lists ${this.#list.slice(0, 64)}`)
    this.#lists.add(this.#list)
  }

  #close(letter: string): void {
    this.#depth -= 1
    if (this.#depth < ITEM) this.#note(letter)
  }

  #note(text: string): void {
    this.#frame += text
    this.#last = text
    if (this.#frame.length > LONGEST_FRAME) throw wrong('has too much beside its things')
  }
}
