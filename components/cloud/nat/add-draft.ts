import type { FieldNames } from '#components/base/forms/form-faults'
import { ipsBulkInput, type NatIpDocument } from '#lib/cloud/nat/ips.schema'
import type { Collection, Named } from '#lib/ground/http/view'
import { assignable, formatAddress, parseAddress, parseCidr } from '#lib/ground/net/addresses'

type AddMode = 'lowest' | 'address' | 'range'

export type AddField = 'datacenter' | 'network' | 'mode' | 'ip' | 'count'

export type AddDraft = {
  mode: AddMode
  /** Where the user has chosen it. */
  datacenter?: Named | undefined
  network: { id: number; name: string; cidr: string; ips: number } | undefined
  /** The requested address, or the first one of a range. */
  ip: string
  count: string
  available: boolean
  quarantine: boolean
}

type AddProblem = 'networkMissing' | 'ipMissing' | 'noAddress' | 'outside' | 'countWrong' | 'noneFree'

/** The most addresses of one call. */
const mostAtOnce = 65_536

/** The number of addresses that the network still lacks, as an estimate: only the API knows all IPs. */
export function freeIn({ cidr: text, ips }: { cidr: string; ips: number }): bigint {
  const cidr = parseCidr(text)
  if (!cidr) return 0n
  const { first, last } = assignable(cidr)
  const free = last - first + 1n - BigInt(ips)
  return free > 0n ? free : 0n
}

/** The most addresses that can be added at once. */
export function mostOf({ network }: Pick<AddDraft, 'network'>): number {
  const free = network ? freeIn(network) : BigInt(mostAtOnce)
  return free < mostAtOnce ? Number(free) : mostAtOnce
}

export function checkAdd(draft: AddDraft): Partial<Record<AddField, AddProblem>> {
  const problems: Partial<Record<AddField, AddProblem>> = {}
  if (!draft.network) problems.network = 'networkMissing'
  const ip = draft.mode === 'lowest' ? undefined : ipProblem(draft)
  if (ip) problems.ip = ip
  if (draft.mode === 'range') {
    const most = mostOf(draft)
    const count = ipsBulkInput.shape.numips.max(most).safeParse(Number(draft.count || 'none'))
    if (!count.success) problems.count = most === 0 ? 'noneFree' : 'countWrong'
  }
  return problems
}

function ipProblem({ mode, ip, network }: AddDraft): AddProblem | undefined {
  if (ip.trim() === '') return mode === 'address' ? 'ipMissing' : undefined
  const address = parseAddress(ip.trim())
  if (!address) return 'noAddress'
  const cidr = network && parseCidr(network.cidr)
  if (!cidr) return undefined
  const isWithin =
    address.version === cidr.version && address.value >= cidr.first && address.value <= cidr.last
  return isWithin ? undefined : 'outside'
}

export const ipBody = ({ mode, ip, count, available, quarantine }: AddDraft) => ({
  ...(mode !== 'lowest' && ip.trim() !== '' && { ip: ip.trim() }),
  ...(mode === 'range' && { numips: Number(count) }),
  available,
  quarantine,
})

/** If the API chooses the address, no field has it. */
export const addNames = ({ mode }: Pick<AddDraft, 'mode'>): FieldNames<AddField> => ({
  numips: 'count',
  ip: mode === 'lowest' ? 'mode' : 'ip',
})

type Added = { count: number; first: string; last: string }

/** Which addresses the API has added: one, or a range without gaps of which it returns the first page. */
export function addedIps(answer: NatIpDocument | Collection<NatIpDocument>): Added {
  if (!('collection' in answer)) return { count: 1, first: answer.ip, last: answer.ip }
  const { collection, totalSize } = answer
  const first = collection[0]?.ip ?? ''
  const address = parseAddress(first)
  const last = address ? formatAddress(address.version, address.value + BigInt(totalSize - 1)) : first
  return { count: totalSize, first, last }
}
