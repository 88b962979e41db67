import {
  type Element,
  inOrder,
  type Making,
  makingOf,
  type Refusal,
  type Translation,
} from '#lib/gateway/elements'
import { Spans } from '#lib/gateway/spans'

/* The elements that should be in force. A change of one translation of 100,000 costs as much as the change. */

export type Desired = {
  /** By name. */
  readonly elements: ReadonlyMap<string, Element>
  readonly refused: readonly Refusal[]
}

export type TranslationChange = { removed: readonly Translation[]; added: readonly Translation[] }

export class DesiredElements implements Desired {
  readonly elements = new Map<string, Element>()
  readonly refused: Refusal[] = []
  readonly #taken = new Spans<Element>()
  /** By the name of a private address: how many translations lead to it. */
  readonly #uses = new Map<string, number>()
  /** Names of elements, and places of ranges, that more than one translation wants. */
  readonly #contested = new Set<string>()

  /** The result does not depend on the order of the translations. */
  constructor(translations: readonly Translation[]) {
    for (const translation of translations.toSorted(inOrder)) this.#place(translation)
  }

  #place(translation: Translation): void {
    const { rule } = translation
    const refuse = (reason: string) => this.refused.push({ ...(rule !== undefined && { rule }), reason })
    const making = makingOf(translation)
    if ('fault' in making) {
      refuse(making.fault)
      return
    }
    const other = this.#ownerOf(making)
    if (!other) {
      this.#take(making)
      return
    }
    for (const key of keysOf(making)) this.#contested.add(key)
    if (making.made.some(({ name, value }) => this.elements.get(name)?.value !== value))
      refuse(contradiction(translation, other))
  }

  /** An element of another translation that excludes this one. */
  #ownerOf({ made, spans }: Making): Element | undefined {
    return (
      made.map(({ name }) => this.elements.get(name)).find((each) => each !== undefined) ??
      this.#taken.overlapping(spans)
    )
  }

  #take({ made, mine, spans }: Making): void {
    for (const element of made) this.elements.set(element.name, element)
    this.elements.set(mine.name, mine)
    this.#uses.set(mine.name, (this.#uses.get(mine.name) ?? 0) + 1)
    if (made[0]) this.#taken.take(spans, made[0])
  }

  #release({ made, mine, spans }: Making): void {
    for (const { name } of made) this.elements.delete(name)
    this.#taken.release(spans)
    const uses = (this.#uses.get(mine.name) ?? 0) - 1
    if (uses > 0) this.#uses.set(mine.name, uses)
    else {
      this.#uses.delete(mine.name)
      this.elements.delete(mine.name)
    }
  }

  /**
   * The names of the elements that changed. `removed` are objects that were added before. Undefined if translations exclude each other: then
   * this object is useless, and the caller makes another one of all translations.
   */
  change({ removed, added }: TranslationChange): Set<string> | undefined {
    const names = new Set<string>()
    for (const [translations, isAdded] of [[removed, false] as const, [added, true] as const])
      for (const translation of translations) {
        const making = makingOf(translation)
        if ('fault' in making || keysOf(making).some((key) => this.#contested.has(key))) return undefined
        if (isAdded && this.#ownerOf(making)) return undefined
        if (isAdded) this.#take(making)
        else this.#release(making)
        for (const { name } of [...making.made, making.mine]) names.add(name)
      }
    return names
  }
}

const keysOf = ({ made, spans }: Making): string[] => [
  ...made.map(({ name }) => name),
  ...spans.map(({ place }) => place),
]

function contradiction({ kind, privateIp }: Translation, { rule, value, key }: Element): string {
  const by = rule === undefined ? 'the default SNAT' : `rule ${rule}`
  return kind === 'dnat'
    ? `${by} already translates ${key} to ${value}`
    : `${by} already gives ${privateIp} the address ${value}: two machines behind this device have the same private address`
}

/** All elements of all maps, and the refused translations with the reason. */
export const elementsOf = (translations: readonly Translation[]): Desired => new DesiredElements(translations)
