import { useParams } from 'react-router'

/** An id in the address of a screen. What is no id becomes 0, which the API refuses with a clear answer. */
export function useId(name: 'enterprise' | 'user' | 'role'): number {
  const { [name]: text } = useParams()
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

/** The same from the query of the address: undefined where it names none. */
export const idIn = (search: URLSearchParams, name: string): number | undefined => {
  const text = search.get(name)
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
