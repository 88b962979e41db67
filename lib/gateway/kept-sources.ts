import { isIPv4 } from 'node:net'
import { numberOf } from '#lib/gateway/networks'

/** The sources of connections that stay, so that all others can be found by networks. */
export class KeptSources {
  /** In ascending order. */
  readonly #numbers: readonly bigint[]

  constructor(sources: Iterable<string>) {
    this.#numbers = [...new Set([...sources].map(numberOf))].sort((one, other) => (one < other ? -1 : 1))
  }

  /** The widest network around the source without a source that stays, or undefined for one of these. */
  networkWithout(source: string): string | undefined {
    const bits = isIPv4(source) ? 32 : 128
    const own = numberOf(source)
    const after = this.#countBelow(own)
    const neighbours = [this.#numbers[after - 1], this.#numbers[after]].filter((each) => each !== undefined)
    const length = Math.max(0, ...neighbours.map((each) => bits - (each ^ own).toString(2).length + 1))
    if (neighbours.includes(own)) return undefined
    const hosts = BigInt(bits - length)
    return `${addressOf((own >> hosts) << hosts, bits)}/${length}`
  }

  #countBelow(number: bigint): number {
    let [low, high] = [0, this.#numbers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#numbers[middle] ?? 0n) < number) low = middle + 1
      else high = middle
    }
    return low
  }
}

function addressOf(number: bigint, bits: 32 | 128): string {
  const [size, base, separator] = bits === 32 ? [8n, 10, '.'] : [16n, 16, ':']
  const parts = Array.from({ length: bits / Number(size) }, (_, index) =>
    ((number >> (size * BigInt(index))) & ((1n << size) - 1n)).toString(base),
  )
  return parts.reverse().join(separator)
}
