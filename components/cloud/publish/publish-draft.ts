import type { FieldNames } from '#components/base/forms/form-faults'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import type { PublicAddress, Publication, PublishedProtocol } from '#lib/cloud/machines/publish.queries'
import { idOfLink, linkOf } from '#lib/ground/http/view'

type End = { href: string; ip: string }

export type PublishDraft = {
  machine: VirtualMachineDocument | undefined
  /** The `href` of the private IP. */
  privateIp: string | undefined
  protocol: PublishedProtocol
  port: string
  /** Empty: the same as the port of the machine. */
  publicPort: string
}

export type PublishField = keyof PublishDraft

export const privateIpsOf = ({ links }: VirtualMachineDocument): End[] =>
  links.filter(({ rel }) => /^nic\d+$/.test(rel)).map(({ href, title = '' }) => ({ href, ip: title }))

/** A machine, and its private IP if it has only one. */
export const withMachine = (machine: VirtualMachineDocument | undefined) => {
  const ips = machine ? privateIpsOf(machine) : []
  return { machine, privateIp: ips.length === 1 ? ips[0]?.href : undefined }
}

export const privateIpOf = ({ machine, privateIp }: PublishDraft): End | undefined =>
  machine && privateIpsOf(machine).find(({ href }) => href === privateIp)

const portOf = (text: string): number | undefined =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined

type Problem = 'machineMissing' | 'noPrivateIp' | 'privateIpMissing' | 'portWrong'

export function problemsOf(draft: PublishDraft): Partial<Record<PublishField, Problem>> {
  const { machine, privateIp, port, publicPort } = draft
  const hasIps = machine !== undefined && privateIpsOf(machine).length > 0
  return {
    ...(!machine && { machine: 'machineMissing' as const }),
    ...(machine && !hasIps && { machine: 'noPrivateIp' as const }),
    ...(hasIps && !privateIp && { privateIp: 'privateIpMissing' as const }),
    ...(portOf(port) === undefined && { port: 'portWrong' as const }),
    ...(publicPort !== '' && portOf(publicPort) === undefined && { publicPort: 'portWrong' as const }),
  }
}

export type Ready = Omit<Publication, 'address'> & { inside: string }

/** The publication of a draft without problems, before its address is known. */
export function readyOf(draft: PublishDraft): Ready | undefined {
  const { machine, protocol } = draft
  const [port, inside] = [portOf(draft.port), privateIpOf(draft)]
  const publicPort = draft.publicPort === '' ? port : portOf(draft.publicPort)
  const idIn = (rel: string) => machine && idOfLink(linkOf(machine, rel))
  const [center, datacenter] = [idIn('virtualdatacenter'), idIn('location')]
  if (!machine || !inside || port === undefined || publicPort === undefined) return undefined
  if (center === undefined || datacenter === undefined) return undefined
  return {
    center,
    datacenter,
    machine: linkOf(machine, 'edit')?.href ?? '',
    privateIp: inside.href,
    inside: inside.ip,
    protocol,
    publicPort,
    port,
  }
}

export const publicationOf = ({ inside: _, ...ready }: Ready, address: PublicAddress): Publication => ({
  ...ready,
  address,
})

/** The API names the ends of a rule. Nobody chooses the public address, so a refusal of it is about its port. */
export const publishNames = (): FieldNames<PublishField> => ({
  original: 'publicPort',
  originalPort: 'publicPort',
  translated: 'privateIp',
  translatedPort: 'port',
})
