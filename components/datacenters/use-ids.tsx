import { useParams } from 'react-router'

const idOf = (text: string | undefined): number => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/** The ids in the address of a screen. What is no id becomes 0, which the API refuses with a clear answer. */
export function useIds(): { datacenter: number; network: number } {
  const { datacenter, natnetwork } = useParams<'datacenter' | 'natnetwork'>()
  return { datacenter: idOf(datacenter), network: idOf(natnetwork) }
}
