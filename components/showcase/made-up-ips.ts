import type { Sign } from '#components/kit/state'

export type State = 'free' | 'attached' | 'quarantine' | 'unavailable'
export type Ip = {
  id: number
  ip: string
  state: State
  enterprise: string
  network: string
  rules: number
}

export const enterprises = ['Albatros Airlines', 'Cobalt Pharma', 'Delta Foods', 'Ferro Rail']

/** The sign of each state on this page, with states of a single address that no facet has. */
export const signs: Record<State | 'default SNAT' | 'unknown', Sign> = {
  free: 'free',
  attached: 'held',
  'default SNAT': 'default',
  quarantine: 'warn',
  unavailable: 'off',
  unknown: 'unknown',
}

export const states: readonly State[] = ['free', 'attached', 'quarantine', 'unavailable']

const stateOf = (number: number): State =>
  number % 13 === 5
    ? 'unavailable'
    : number % 11 === 4
      ? 'quarantine'
      : number % 3 === 0
        ? 'free'
        : 'attached'

/** Addresses for documentation (RFC 5737): two pages of 28. */
export const ips: readonly Ip[] = Array.from({ length: 56 }, (_, index) => {
  const number = index + 1
  const state = stateOf(number)
  return {
    id: number,
    ip: index < 40 ? `203.0.113.${number}` : `198.51.100.${number - 40}`,
    state,
    enterprise: state === 'attached' ? (enterprises[(number * 7) % 4] ?? '') : '',
    network: index < 40 ? 'Madrid public' : 'Lisbon reserve',
    rules: state === 'attached' ? (number * 5) % 9 : 0,
  }
})

const numberOf = ({ ip }: Ip) => Number(ip.split('.').reduce((sum, part) => sum + part.padStart(3, '0'), ''))

type Order = { by: string; asc: boolean }

/** `203.0 state:free`: words are parts of the address, `state:` narrows. */
export function matchesOf(text: string, { by, asc }: Order) {
  const words = text.split(/\s+/).filter(Boolean)
  const state = states.find((name) => words.includes(`state:${name}`))
  const parts = words.filter((word) => !word.startsWith('state:') && !'state:'.startsWith(word))
  const found = ips.filter(({ ip }) => parts.every((part) => ip.includes(part)))
  const key = (row: Ip) => (by === 'enterprise' ? row.enterprise : by === 'network' ? row.network : '')
  const sorted = found
    .filter((row) => state === undefined || row.state === state)
    .sort((one, other) => key(one).localeCompare(key(other)) || numberOf(one) - numberOf(other))
  return {
    state,
    rest: parts.join(' '),
    rows: asc ? sorted : sorted.reverse(),
    counts: Object.groupBy(found, (row) => row.state),
  }
}

/** The ways to go on from a text: the states that its last word begins. */
export function completionsOf(text: string) {
  const begin = text.lastIndexOf(' ') + 1
  const word = text.slice(begin).toLowerCase()
  return states
    .filter((name) => word !== '' && `state:${name}`.startsWith(word) && `state:${name}` !== word)
    .map((name) => ({
      text: `${text.slice(0, begin)}state:${name} `,
      label: `state:${name}`,
      about: `Only ${name} addresses`,
    }))
}
