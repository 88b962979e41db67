import { fold } from '#lib/db/fold'
import type { Asked, Route } from '#lib/tools/bench/floor/answers'
import { quoted } from '#lib/tools/bench/floor/documents'
import type { File } from '#lib/tools/bench/floor/file'
import {
  ASSIGNABLE,
  IP,
  type Ip,
  ipText,
  NETWORK,
  type Network,
  networkText,
} from '#lib/tools/bench/floor/nat-documents'

/* Changes of the floor, each with its event and its totals. */

const keyOf = (address: number): string => `4${address.toString(16).padStart(8, '0')}`
const addressOf = (key: string): number => Number.parseInt(key.slice(1), 16)
const textOf = (address: number): string => [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')

function rangeOf(cidr: string): { first: number; last: number; prefix: number } {
  const [start = '', prefix] = cidr.split('/')
  const first = start.split('.').reduce((number, octet) => number * 256 + Number(octet), 0)
  return { first, last: first + 2 ** (32 - Number(prefix)) - 1, prefix: Number(prefix) }
}

type Subject = { action: string; type: string; id: number; name: string; path: string; datacenter: number }

function events({ prepare }: File) {
  const insert =
    prepare(`insert into events (timestamp, action, entity_type, entity_id, entity_name, entity_key,
    entity_path, document_path, undoable, undoes, changes, structured, user_id, user_nick, enterprise_id, request_id,
    ip, about_enterprise_id, was_enterprise_id, about_datacenter_id, about_scope_id, moment, transaction_number)
    values (?, ?, ?, ?, ?, ?, ?, ?, 1, null, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, null, journal_moment(), 0) returning id`)
  return (
    { caller, requestId }: Asked,
    { action, type, id, name, path, datacenter }: Subject,
    changes: string,
    enterprise: number | null = null,
  ) => {
    const subject = [Date.now(), action, type, id, name, fold(name), path, path]
    const actor = [caller.id, caller.nick, caller.enterprise, requestId, '127.0.0.1']
    insert(...subject, changes, ...actor, enterprise, enterprise, datacenter)
  }
}

type Added = { ips: number; available: number; used: number; free: number }

/** Adds to the totals of a network, of this day, and of the three blocks of an address. */
function totals({ prepare }: File) {
  const ofNetwork = prepare(`update nat_counts set ips = ips + ?,
    available_ips = available_ips + ?, used_ips = used_ips + ?, free_ips = free_ips + ? where nat_network_id = ?
    returning nat_network_id`)
  const ofDay =
    prepare(`insert into nat_use_days (nat_network_id, day, ips, available_ips, used_ips, assignable)
    select nat_network_id, ?, ips, available_ips, used_ips, ${ASSIGNABLE} from nat_counts
    inner join nat_networks on nat_networks.id = nat_counts.nat_network_id where nat_network_id = ?
    on conflict (nat_network_id, day) do update set ips = excluded.ips, available_ips = excluded.available_ips,
    used_ips = excluded.used_ips, assignable = excluded.assignable returning day`)
  const block = '(?, ?, ?, ?, ?, ?, ?, 0, ?, 0, 0, 0, 0)'
  const ofBlocks =
    prepare(`insert into nat_blocks (nat_network_id, datacenter_id, wide, block, ips, available_ips,
    used_ips, quarantine_ips, free_ips, default_snat_ips, available_default_snat_ips, snat_rules, dnat_rules)
    values ${block}, ${block}, ${block} on conflict (nat_network_id, wide, block) do update
    set ips = nat_blocks.ips + excluded.ips, available_ips = nat_blocks.available_ips + excluded.available_ips,
    used_ips = nat_blocks.used_ips + excluded.used_ips, free_ips = nat_blocks.free_ips + excluded.free_ips`)
  return (datacenter: number, network: number, key: string, { ips, available, used, free }: Added) => {
    ofNetwork(ips, available, used, free, network)
    ofDay(Math.floor(Date.now() / 86_400_000), network)
    const widths = [
      [0, key.slice(0, -2)],
      [1, key.slice(0, -4)],
      [2, key.slice(0, -3)],
    ] as const
    ofBlocks(
      ...widths.flatMap(([wide, name]) => [network, datacenter, wide, name, ips, available, used, free]),
    )
  }
}

export function changes(file: File): Route[] {
  const { prepare } = file
  const network = prepare<Network>(`${NETWORK} where nat_networks.datacenter_id = ? and nat_networks.id = ?`)
  const ip = prepare<Ip>(`${IP} where nat_ips.id in (?)`)
  const addEvent = events(file)
  const addCounts = totals(file)

  const device = prepare<[nat: number]>(`select device_types.nat from devices
    inner join device_types on device_types.id = devices.device_type_id
    where devices.datacenter_id = ? and devices.id = ?`)
  const update =
    prepare(`update nat_networks set device_id = ?, name = ?, name_key = ?, cidr = ?, first_key = ?,
    last_key = ?, prefix = ? where id = ?`)

  function updateNetwork(asked: Asked) {
    const [datacenter = 0, id = 0] = asked.ids
    const sent = JSON.parse(asked.body) as {
      name: string
      cidr: string
      links: { rel: string; href: string }[]
    }
    const deviceId = Number(sent.links.find(({ rel }) => rel === 'device')?.href.replace(/.*\//, ''))
    const [before] = network(datacenter, id)
    if (before?.[2] !== sent.cidr || before[5] !== deviceId || device(datacenter, deviceId)[0]?.[0] !== 1)
      throw new Error('The floor only renames')
    const { first, last, prefix } = rangeOf(sent.cidr)
    update(deviceId, sent.name, fold(sent.name), sent.cidr, keyOf(first), keyOf(last), prefix, id)
    const [after] = network(datacenter, id)
    const path = `/admin/datacenters/${datacenter}/natnetworks/${id}`
    if (before[1] !== sent.name)
      addEvent(
        asked,
        { action: 'update', type: 'natnetwork', id, name: sent.name, path, datacenter },
        `{"name":{"before":${quoted(before[1])},"after":${quoted(sent.name)}}}`,
      )
    return after && { text: networkText(asked.api, after) }
  }

  const firstFree = prepare<[key: string]>('select first_free_key from nat_counts where nat_network_id = ?')
  const taken = prepare<[key: string]>(`select ip_key from nat_ips where nat_network_id = ?
    and ip_key >= ? and ip_key <= ? order by ip_key limit ?`)
  const insert = prepare<[id: number]>(`insert into nat_ips (nat_network_id, virtual_datacenter_id, available,
    quarantine, default_snat, datacenter_id, ip, ip_key) values (?, null, 1, 0, 0, ?, ?, ?) returning id`)
  const setFirstFree = prepare('update nat_counts set first_free_key = ? where nat_network_id = ?')

  function addressFrom(networkId: number, from: number, last: number): number {
    let [address, most] = [from, 10]
    for (;;) {
      const keys = taken(networkId, keyOf(address), keyOf(last), most)
      for (const [key] of keys) {
        if (addressOf(key) > address) return address
        address += 1
      }
      if (keys.length < most) return address
      most = 1000
    }
  }

  function createIp(asked: Asked) {
    const [datacenter = 0, networkId = 0] = asked.ids
    const [found] = network(datacenter, networkId)
    if (!found) return undefined
    const { first, last } = rangeOf(found[2])
    const free = firstFree(networkId)[0]?.[0] ?? ''
    const address = addressFrom(networkId, Math.max(first + 1, free === '' ? 0 : addressOf(free)), last - 1)
    const [key, text] = [keyOf(address), textOf(address)]
    const [[id] = [0]] = insert(networkId, datacenter, text, key)
    addCounts(datacenter, networkId, key, { ips: 1, available: 1, used: 0, free: 1 })
    setFirstFree(keyOf(address + 1), networkId)
    const [row] = ip(id)
    const path = `/admin/datacenters/${datacenter}/natnetworks/${networkId}/ips/${id}`
    const name = quoted(found[1])
    addEvent(
      asked,
      { action: 'create', type: 'natip', id, name: text, path, datacenter },
      `{"ip":{"after":"${text}"},"available":{"after":"true"},"quarantine":{"after":"false"}` +
        `,"defaultSnat":{"after":"false"},"ipv6":{"after":"false"},"networkName":{"after":${name}},"rules":{"after":"0"},"description":{"after":""}` +
        `,"natnetwork":{"after":{"type":"natnetwork","id":${networkId},"name":${name},"at":{"datacenter":${datacenter}}}}` +
        `,"datacenter":{"after":{"type":"datacenter","id":${datacenter},"name":${quoted(found[4])}}}}`,
    )
    return row && { text: ipText(asked.api, row), location: path }
  }

  const center = prepare<[datacenter: number]>('select datacenter_id from virtual_datacenters where id = ?')
  const attach = prepare<[networkId: number, key: string]>(`update nat_ips set virtual_datacenter_id = ?
    where id in (?) and datacenter_id = ? and virtual_datacenter_id is null and available = 1 and quarantine = 0
    returning nat_network_id, ip_key, available, quarantine, default_snat, virtual_datacenter_id`)

  function attachIp(asked: Asked) {
    const [centerId = 0, id = 0] = asked.ids
    const datacenter = center(centerId)[0]?.[0] ?? 0
    const [attached] = attach(centerId, id, datacenter)
    if (!attached) throw new Error('The NAT IP is not free')
    const [networkId, key] = attached
    addCounts(datacenter, networkId, key, { ips: 0, available: 0, used: 1, free: -1 })
    const [row] = ip(id)
    if (!row) return undefined
    const [holder, enterpriseId, enterprise] = row.slice(11)
    addEvent(
      asked,
      {
        action: 'attach',
        type: 'natip',
        id,
        name: row[1],
        path: `/admin/datacenters/${datacenter}/natnetworks/${networkId}/ips/${id}`,
        datacenter,
      },
      `{"virtualdatacenter":{"after":{"type":"virtualdatacenter","id":${centerId},"name":${quoted(String(holder))}` +
        `,"at":{"enterprise":${enterpriseId},"datacenter":${datacenter}}}}` +
        `,"enterprise":{"after":{"type":"enterprise","id":${enterpriseId},"name":${quoted(String(enterprise))}}}}`,
      Number(enterpriseId),
    )
    return { text: ipText(asked.api, row) }
  }

  return [
    { method: 'PUT', path: /^\/admin\/datacenters\/(\d+)\/natnetworks\/(\d+)$/, answer: updateNetwork },
    { method: 'POST', path: /^\/admin\/datacenters\/(\d+)\/natnetworks\/(\d+)\/ips$/, answer: createIp },
    {
      method: 'PUT',
      path: /^\/cloud\/virtualdatacenters\/(\d+)\/natips\/topurchase\/(\d+)$/,
      answer: attachIp,
    },
  ]
}
