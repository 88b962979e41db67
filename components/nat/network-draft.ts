import { fieldNamedIn } from '#components/forms/form-faults'
import type { ApiFault } from '#lib/client/api'
import { idOfLink, linkOf } from '#lib/http/view'
import { natNetworkBody } from '#lib/nat/networks.queries'
import { type NatNetworkDocument, natNetworkInput } from '#lib/nat/networks.schema'
import type { ChosenDevice } from './device-picker'

export type NetworkField = 'name' | 'cidr' | 'device'

/** What the form of a NAT network holds. */
export type NetworkDraft = { name: string; cidr: string; device: ChosenDevice | undefined }

export function draftOf(network: NatNetworkDocument | undefined): NetworkDraft {
  const device = network && linkOf(network, 'device')
  return {
    name: network?.name ?? '',
    cidr: network?.cidr ?? '',
    device: device && { href: device.href, name: device.title ?? String(idOfLink(device)) },
  }
}

export const isSameDraft = (one: NetworkDraft, other: NetworkDraft): boolean =>
  one.name === other.name && one.cidr === other.cidr && one.device?.href === other.device?.href

/** What is wrong before anything is sent. */
type NetworkProblem = 'nameMissing' | 'nameTooLong' | 'cidrMissing' | 'cidrWrong' | 'deviceMissing'

/** The document to send, or what is wrong at which field. */
export function checkDraft(draft: NetworkDraft, current: NatNetworkDocument | undefined) {
  const [name, cidr] = [draft.name.trim(), draft.cidr.trim()]
  const body = natNetworkBody({ name, cidr, device: draft.device?.href }, current)
  const { error } = natNetworkInput.safeParse(body)
  const refused = new Set(error?.issues.map(({ path }) => path[0]))
  const problems: Partial<Record<NetworkField, NetworkProblem>> = {
    ...(refused.has('name') && { name: name === '' ? 'nameMissing' : 'nameTooLong' }),
    ...(refused.has('cidr') && { cidr: cidr === '' ? 'cidrMissing' : 'cidrWrong' }),
    ...(!draft.device && { device: 'deviceMissing' }),
  }
  return { body, problems }
}

const fieldOfCode: Record<string, NetworkField> = {
  'NAT-NET-0': 'name',
  'NAT-NET-2': 'device',
  'NAT-NET-3': 'device',
  'NETDEVICE-1': 'device',
  'GEN-6': 'device',
  'NAT-NET-5': 'cidr',
  'NAT-NET-6': 'cidr',
}

export const fieldOfFault = (fault: ApiFault): NetworkField | undefined =>
  fieldOfCode[fault.code] ?? fieldNamedIn<NetworkField>(fault, ['name', 'cidr'])
