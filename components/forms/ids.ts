import { useParams } from 'react-router'

const idOf = (text: string | null | undefined): number | undefined =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

/** An id in the address of a screen. What is no id becomes 0, which the API refuses with a clear answer. */
export function useId(name: 'enterprise' | 'user' | 'role'): number {
  const { [name]: text } = useParams()
  return idOf(text) ?? 0
}

/** The same for the screens of a datacenter. */
export function useIds(): { datacenter: number; network: number } {
  const { datacenter, natnetwork } = useParams<'datacenter' | 'natnetwork'>()
  return { datacenter: idOf(datacenter) ?? 0, network: idOf(natnetwork) ?? 0 }
}

/** The same from the query of the address: undefined where it names none. */
export const idIn = (search: URLSearchParams, name: string): number | undefined => idOf(search.get(name))
