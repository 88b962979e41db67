import { fieldNamedIn } from '#components/forms/form-faults'
import type { ApiFault } from '#lib/client/api'
import type { Collection } from '#lib/http/view'
import { ipsBulkInput, type NatIpDocument } from '#lib/nat/ips.schema'
import { formatAddress, parseAddress, parseCidr } from '#lib/net/addresses'

type AddMode = 'lowest' | 'address' | 'range'

export type AddField = 'network' | 'mode' | 'ip' | 'count'

/** What the form for new IPs holds. */
export type AddDraft = {
  mode: AddMode
  network: { id: number; name: string; cidr: string } | undefined
  /** The address that is wanted, or that a range begins with. */
  ip: string
  count: string
  available: boolean
  quarantine: boolean
}

type AddProblem = 'networkMissing' | 'ipMissing' | 'noAddress' | 'outside' | 'countWrong'

export const mostAtOnce = 65_536

export function checkAdd(draft: AddDraft): Partial<Record<AddField, AddProblem>> {
  const problems: Partial<Record<AddField, AddProblem>> = {}
  if (!draft.network) problems.network = 'networkMissing'
  const ip = draft.mode === 'lowest' ? undefined : ipProblem(draft)
  if (ip) problems.ip = ip
  if (draft.mode === 'range' && !ipsBulkInput.shape.numips.safeParse(Number(draft.count || 'none')).success)
    problems.count = 'countWrong'
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

/** What to send for one IP, or for a run of them. */
export const ipBody = ({ mode, ip, available, quarantine }: AddDraft) => ({
  ...(mode !== 'lowest' && ip.trim() !== '' && { ip: ip.trim() }),
  available,
  quarantine,
})

/** Where a fault of the API belongs. */
export function fieldOfAddFault({ mode }: AddDraft): (fault: ApiFault) => AddField | undefined {
  const fields: Record<string, AddField> = {
    'NAT-NET-1': 'network',
    'NAT-IP-5': mode === 'range' ? 'count' : 'mode',
    'NAT-IP-9': 'ip',
    'NAT-IP-10': 'ip',
  }
  return (fault) => {
    const named = fieldNamedIn(fault, ['numips', 'ip'] as const)
    return fields[fault.code] ?? (named === 'numips' ? 'count' : named)
  }
}

/** Which addresses came: a run has no gaps. */
export type Came = { count: number; first: string; last: string }

export const cameOne = ({ ip }: NatIpDocument): Came => ({ count: 1, first: ip, last: ip })

export function cameRun({ collection, totalSize }: Collection<NatIpDocument>): Came {
  const first = collection[0]?.ip ?? ''
  const address = parseAddress(first)
  const last = address ? formatAddress(address.version, address.value + BigInt(totalSize - 1)) : first
  return { count: totalSize, first, last }
}
