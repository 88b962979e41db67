import type { ReadContext } from '#lib/caller/auth/context.server'
import { linkTo, pathOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { seesEnterprise } from '#lib/caller/scopes/visibility.server'
import { assignableIps } from '#lib/cloud/nat/assignable.server'
import {
  type FindingRule,
  findingKey,
  type NatFinding,
  type NatFindingCode,
  type NatFix,
  natFindingSeverities,
} from '#lib/cloud/nat/check.schema'
import { type Found, IDLE_DAYS } from '#lib/cloud/nat/check-queries.server'
import { isFree } from '#lib/cloud/nat/counts.server'
import { nextRun } from '#lib/cloud/nat/ip-creation.server'
import { ipViews } from '#lib/cloud/nat/ip-views.server'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { ruleViews } from '#lib/cloud/nat/rules.server'
import { inOrderOf } from '#lib/db/list.server'
import { type LinkDocument, link, linkOf } from '#lib/ground/http/view'

/* The documents of findings: the fault, its consequence, and the request that fixes it. */

type Views = (context: ReadContext, found: readonly Found[]) => Promise<NatFinding[]>

/** The content of a finding besides its code and severity. */
type Said = {
  about: Pick<Found, 'id'> & Partial<Found>
  links: LinkDocument[]
  rule?: FindingRule | undefined
  message: string
  fix?: NatFix | undefined
}

/** The content that depends on the code alone. */
type OwnContent = Omit<Said, 'links' | 'about' | 'rule'>

const findings = (code: NatFindingCode, all: readonly Said[]): NatFinding[] =>
  all.map(({ about, links, rule, message, fix }) => ({
    links,
    identity: findingKey(code, about),
    code,
    severity: natFindingSeverities[code],
    message,
    ...(rule && { rule }),
    ...(fix && { fix }),
  }))

const titleOf = (document: { links: LinkDocument[] }, rel: string): string | undefined =>
  linkOf(document, rel)?.title

/** The links of a document that have these rels. */
const linksOf = (document: { links: LinkDocument[] }, ...rels: string[]): LinkDocument[] =>
  rels.flatMap((rel) => linkOf(document, rel) ?? [])

/** The rules with the states of their NAT IPs. */
async function rulesOf(context: ReadContext, found: readonly Found[]) {
  const views = new Map((await ruleViews(context, found)).map((view) => [view.id, view]))
  const rows = await context.db
    .selectFrom('nat_rules')
    .innerJoin('nat_ips', 'nat_ips.id', 'nat_rules.nat_ip_id')
    .where(
      'nat_rules.id',
      'in',
      found.map(({ id }) => id),
    )
    .select(['nat_rules.id', 'nat_ips.ip', 'nat_ips.available', 'nat_ips.quarantine'])
    .select(['nat_ips.virtual_datacenter_id', 'nat_ips.id as nat_ip'])
    .execute()
  return inOrderOf(found, rows).flatMap((row) => {
    const rule = views.get(row.id)
    if (!rule) return []
    const [natIp, privateIp] = rule.snat ? ['translated', 'original'] : ['original', 'translated']
    const self = linkOf(rule, 'self')
    const nat = linkOf(rule, natIp)
    const inner = linkOf(rule, privateIp)
    const links = [
      ...(self ? [{ ...self, rel: 'natrule' }] : []),
      ...(nat ? [{ ...nat, rel: 'natip' }] : []),
      ...(inner ? [{ ...inner, rel: 'privateip' }] : []),
      ...linksOf(rule, 'virtualmachine', 'virtualdatacenter', 'natnetwork'),
    ]
    const fixes = { remove: self && { method: 'DELETE' as const, href: self.href } }
    return [
      {
        ...row,
        rule,
        links,
        natPath: nat?.href ?? '',
        name: `The ${rule.snat ? 'SNAT' : 'DNAT'} rule ${row.id}`,
        ...fixes,
      },
    ]
  })
}

const inShort = (rule: NatRuleDocument): FindingRule => {
  const { snat, protocol, originalPort, originalPortEnd, translatedPort } = rule
  return {
    snat,
    ...(protocol !== undefined && { protocol }),
    ...(originalPort !== undefined && { originalPort }),
    ...(originalPortEnd !== undefined && { originalPortEnd }),
    ...(translatedPort !== undefined && { translatedPort }),
  }
}

type RuleFound = Awaited<ReturnType<typeof rulesOf>>[number]

const ofRules =
  (code: NatFindingCode, said: (rule: RuleFound) => OwnContent): Views =>
  async (context, found) =>
    findings(
      code,
      (await rulesOf(context, found)).map((found) => ({
        about: found,
        links: found.links,
        rule: inShort(found.rule),
        ...said(found),
      })),
    )

const unavailable = ofRules('NATCHECK-1', ({ name, ip, natPath, quarantine }) => ({
  message: `${name} is on the NAT IP ${ip}, which is unavailable. The gateway still translates it, so an address that nobody should use carries packets`,
  fix: {
    method: 'PUT',
    href: natPath,
    type: 'natip',
    document: { available: true, quarantine: quarantine === 1 },
  },
}))

const quarantined = ofRules('NATCHECK-2', ({ name, ip, remove }) => ({
  message: `${name} is on the NAT IP ${ip}, which is in quarantine. The gateway still translates it, so the address is still in use`,
  fix: remove,
}))

const detached = ofRules('NATCHECK-3', (found) => {
  const { name, ip, rule, nat_ip, remove } = found
  const center = linkOf(rule, 'virtualdatacenter')
  const free = isFree(found) === 1 && center !== undefined
  return {
    message: `${name} is on the NAT IP ${ip}, which is not attached to the virtual datacenter ${center?.title ?? ''} of the machine ${titleOf(rule, 'virtualmachine') ?? ''}. Packets for another holder of the address reach this machine`,
    fix: free ? { method: 'PUT', href: `${center.href}/natips/topurchase/${nat_ip}` } : remove,
  }
})

/** No fix: a machine that is off for a while needs its rules again. */
const off = ofRules('NATCHECK-9', ({ name, ip, rule }) => {
  const machine = titleOf(rule, 'virtualmachine') ?? ''
  return {
    message: rule.snat
      ? `${name} gives the machine ${machine} the NAT IP ${ip}, but the machine is off. The address is in use for nothing`
      : `${name} sends packets for the NAT IP ${ip} to the machine ${machine}, which is off. They are not answered`,
  }
})

const longDisabled = ofRules('NATCHECK-11', ({ name, ip, remove }) => ({
  message: `${name} on the NAT IP ${ip} has been disabled for ${IDLE_DAYS} days. It translates nothing, and holds the address and its ports`,
  fix: remove,
}))

async function networksOf({ db }: ReadContext, ids: number[]) {
  const rows = await db
    .selectFrom('nat_networks')
    .innerJoin('nat_counts', 'nat_counts.nat_network_id', 'nat_networks.id')
    .innerJoin('devices', 'devices.id', 'nat_networks.device_id')
    .where('nat_networks.id', 'in', ids)
    .select(['nat_networks.id', 'nat_networks.name', 'nat_networks.cidr', 'nat_networks.datacenter_id'])
    .select(['nat_counts.ips', 'nat_counts.used_ips', assignableIps.as('assignable')])
    .select(['nat_networks.device_id', 'devices.name as device_name'])
    .execute()
  return new Map(
    rows.map((row) => {
      const path = pathOf(kinds.natnetwork, { datacenter: row.datacenter_id, id: row.id })
      return [row.id, { ...row, path, link: link('natnetwork', path, 'natnetwork', row.name) }]
    }),
  )
}

type Network = Awaited<ReturnType<typeof networksOf>> extends Map<number, infer Row> ? Row : never

const deviceLink = (datacenter: number, { id, name }: { id: number; name: string }): LinkDocument =>
  linkTo(kinds.device, { datacenter, id }, name)

/** A network without IPs can be deleted. */
const overlapping: Views = async (context, found) => {
  const networks = await networksOf(
    context,
    found.flatMap(({ id, other }) => [id, other]),
  )
  return findings(
    'NATCHECK-4',
    found.flatMap(({ id, other }) => {
      const [one, two] = [networks.get(id), networks.get(other)]
      if (!one || !two) return []
      const empty = [two, one].find(({ ips }) => ips === 0)
      const { device_id, device_name: name } = one
      return {
        about: { id, other },
        links: [one.link, two.link, deviceLink(one.datacenter_id, { id: device_id, name })],
        message: `The NAT networks ${one.name} (${one.cidr}) and ${two.name} (${two.cidr}) of the device ${name} overlap. An address of both can be given out twice, and the device translates only one of the rules`,
        fix: empty && { method: 'DELETE' as const, href: empty.path },
      }
    }),
  )
}

const twiceBehind: Views = async ({ caller, db }, found) => {
  const rows = await db
    .selectFrom('private_ips')
    .innerJoin('virtual_datacenters', 'virtual_datacenters.id', 'private_ips.virtual_datacenter_id')
    .where(
      'private_ips.id',
      'in',
      found.flatMap(({ id, other }) => [id, other]),
    )
    .where(seesEnterprise(caller, 'virtual_datacenters.enterprise_id'))
    .select(['private_ips.id', 'private_ips.ip', 'virtual_datacenters.name'])
    .select(['virtual_datacenters.id as center', 'virtual_datacenters.datacenter_id'])
    .execute()
  const ips = new Map(rows.map((row) => [row.id, row]))
  const devices = await db
    .selectFrom('devices')
    .where(
      'id',
      'in',
      found.map(({ third }) => third),
    )
    .select(['id', 'name'])
    .execute()
  const deviceOf = new Map(devices.map((device) => [device.id, device]))
  return findings(
    'NATCHECK-5',
    found.flatMap(({ id, other, third, times }) => {
      const [one, two, device] = [ips.get(id), ips.get(other), deviceOf.get(third)]
      if (!one || !two || !device) return []
      const linked = [one, two].flatMap(({ id: ip, ip: title, center, name }) => {
        const path = pathOf(kinds.virtualdatacenter, { id: center })
        return [
          link('privateip', `${path}/privateips/${ip}`, 'privateip', title),
          link('virtualdatacenter', path, 'virtualdatacenter', name),
        ]
      })
      return {
        about: { id, other, third },
        links: [...linked, deviceLink(one.datacenter_id, device)],
        message: `The private address ${one.ip} is ${times} times behind the device ${device.name}, in ${one.name} and ${two.name}${times > 2 ? ' among others' : ''}. The device cannot tell the machines apart: it gives all of them the NAT IP of one, and packets may reach the wrong one`,
      }
    }),
  )
}

const ofIps =
  (code: NatFindingCode, said: (ip: { ip: string; center: string; release: NatFix }) => OwnContent): Views =>
  async (context, found) =>
    findings(
      code,
      (await ipViews(context, found)).map((view) => {
        const center = linkOf(view, 'virtualdatacenter')
        const release = { method: 'PUT' as const, href: `${center?.href}/natips/purchased/${view.id}` }
        const self = linksOf(view, 'self').map((own) => ({ ...own, rel: 'natip' }))
        return {
          about: view,
          links: [...self, ...linksOf(view, 'virtualdatacenter', 'enterprise', 'natnetwork')],
          ...said({ ip: view.ip, center: center?.title ?? '', release }),
        }
      }),
    )

const moot = ofIps('NATCHECK-6', ({ ip, center }) => ({
  message: `The NAT IP ${ip} is the default SNAT of the virtual datacenter ${center}, but every private IP there has an SNAT rule of its own. No machine uses the default`,
}))

const idle = ofIps('NATCHECK-7', ({ ip, center, release }) => ({
  message: `The NAT IP ${ip} is attached to the virtual datacenter ${center}, but for ${IDLE_DAYS} days it has had no rule and has not been the default SNAT. It is held for nothing`,
  fix: release,
}))

const ofNetworks =
  (code: NatFindingCode, said: (network: Network, context: ReadContext) => Promise<OwnContent>): Views =>
  async (context, found) => {
    const networks = await networksOf(
      context,
      found.map(({ id }) => id),
    )
    const rows = found.flatMap(({ id }) => networks.get(id) ?? [])
    const views: Said[] = []
    for (const network of rows)
      views.push({ about: network, links: [network.link], ...(await said(network, context)) })
    return findings(code, views)
  }

const full = ofNetworks('NATCHECK-8', async ({ name, used_ips: used, assignable }) => ({
  message: `Of the ${assignable} IPs of the NAT network ${name} that can be in use, ${used} are attached (${Math.floor((used * 100) / Number(assignable))} %). Soon no more can be attached`,
}))

/** The most addresses that the fix adds. */
const NEXT = 16

const exhausted = ofNetworks('NATCHECK-12', async (network, { db }) => {
  const numips = await nextRun(db, network, NEXT)
  return {
    message: `All IPs that were added to the NAT network ${network.name} are in use, so no more can be attached, although its CIDR has addresses that can be added`,
    fix: { method: 'POST', href: `${network.path}/ips`, type: 'ipsbulkcreation', document: { numips } },
  }
})

/** The reasons in the report name private addresses, which the caller may not see. */
const drifted: Views = async ({ db }, found) => {
  const rows = await db
    .selectFrom('devices')
    .innerJoin('device_states', 'device_states.device_id', 'devices.id')
    .where(
      'devices.id',
      'in',
      found.map(({ id }) => id),
    )
    .select(['devices.id', 'devices.name', 'devices.datacenter_id'])
    .select(['device_states.drift', 'device_states.mode'])
    .execute()
  return findings(
    'NATCHECK-10',
    inOrderOf(found, rows).map(({ drift, mode, datacenter_id, ...device }) => ({
      about: device,
      links: [deviceLink(datacenter_id, device)],
      message: `The gateway of the device ${device.name} reported ${(JSON.parse(drift) as unknown[]).length} differences between what it should translate and what it does. ${mode === 'watch' ? 'It only watches, so they stay' : 'It puts them right, unless they come back'}`,
    })),
  )
}

export const viewsOf: Record<NatFindingCode, Views> = {
  'NATCHECK-1': unavailable,
  'NATCHECK-2': quarantined,
  'NATCHECK-3': detached,
  'NATCHECK-4': overlapping,
  'NATCHECK-5': twiceBehind,
  'NATCHECK-6': moot,
  'NATCHECK-7': idle,
  'NATCHECK-8': full,
  'NATCHECK-9': off,
  'NATCHECK-10': drifted,
  'NATCHECK-11': longDisabled,
  'NATCHECK-12': exhausted,
}
