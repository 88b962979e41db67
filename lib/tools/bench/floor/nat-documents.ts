import { link, linkIf, notes, quoted } from '#lib/tools/bench/floor/documents'

/* Documents of NAT, as in documents.ts. */

export const IP = `select nat_ips.id, nat_ips.ip, nat_ips.ip_key, nat_ips.available, nat_ips.quarantine, nat_ips.default_snat,
  nat_ips.nat_network_id, nat_networks.name, nat_ips.datacenter_id, datacenters.name,
  virtual_datacenters.id, virtual_datacenters.name, enterprises.id, enterprises.name,
  (select count(*) from nat_rules where nat_rules.nat_ip_id = nat_ips.id), nat_ips.description, nat_ips.tags
  from nat_ips inner join nat_networks on nat_networks.id = nat_ips.nat_network_id
  inner join datacenters on datacenters.id = nat_ips.datacenter_id
  left join virtual_datacenters on virtual_datacenters.id = nat_ips.virtual_datacenter_id
  left join enterprises on enterprises.id = virtual_datacenters.enterprise_id`

export type Ip = [
  ...[id: number, ip: string, key: string, available: number, quarantine: number, defaultSnat: number],
  ...[networkId: number, network: string, datacenterId: number, datacenter: string],
  ...[centerId: number | null, center: string | null, enterpriseId: number | null, enterprise: string | null],
  ...[rules: number, description: string, tags: string],
]

export function ipText(api: string, row: Ip): string {
  const [id, ip, key, available, quarantine, snat, networkId, network, datacenterId, datacenter, ...more] =
    row
  const [centerId, center, enterpriseId, enterprise, rules, description, tags] = more
  const home = `${api}/admin/datacenters/${datacenterId}`
  const path = `${home}/natnetworks/${networkId}`
  return (
    `{"links":[${link('self', `${path}/ips/${id}`, 'natip', ip)},${link('natnetwork', path, 'natnetwork', network)}` +
    `,${link('datacenter', home, 'datacenter', datacenter)},${link('rules', `${path}/ips/${id}/rules`, 'natrules')}` +
    linkIf(centerId, 'virtualdatacenter', `${api}/cloud/virtualdatacenters/`, center) +
    `${linkIf(enterpriseId, 'enterprise', `${api}/admin/enterprises/`, enterprise)}]` +
    `,"id":${id},"ip":"${ip}","available":${available === 1},"quarantine":${quarantine === 1}` +
    `,"defaultSnat":${snat === 1},"ipv6":${key.startsWith('6')},"networkName":${quoted(network)},"rules":${rules}` +
    `${notes(description, tags)}}`
  )
}

export const RULE = `select nat_rules.id, nat_rules.snat, nat_rules.protocol, nat_rules.original_port, nat_rules.translated_port,
  nat_rules.datacenter_id, datacenters.name, nat_rules.nat_network_id, nat_networks.name,
  nat_rules.nat_ip_id, nat_ips.ip, nat_rules.private_ip_id, private_ips.ip, private_ips.virtual_datacenter_id,
  virtual_machines.id, virtual_machines.name, virtual_machines.virtual_appliance_id,
  virtual_datacenters.id, virtual_datacenters.name,
  device_states.seconds, device_states.reported_at, device_rules.packets, device_rules.bytes, device_rules.fault,
  case when exists (select 1 from translation_changes where translation_changes.rule_id = nat_rules.id
    and translation_changes.revision = 0 and translation_changes.id > device_states.revision) then 1 else 0 end,
  nat_rules.description, nat_rules.tags, nat_rules.original_port_end, nat_rules.sources, nat_rules.ends_at
  from nat_rules inner join nat_ips on nat_ips.id = nat_rules.nat_ip_id
  inner join nat_networks on nat_networks.id = nat_rules.nat_network_id
  inner join datacenters on datacenters.id = nat_rules.datacenter_id
  inner join private_ips on private_ips.id = nat_rules.private_ip_id
  left join device_states on device_states.device_id = nat_networks.device_id
  left join device_rules on device_rules.rule_id = nat_rules.id
  left join virtual_machines on virtual_machines.id = nat_rules.virtual_machine_id
  left join virtual_datacenters on virtual_datacenters.id = virtual_machines.virtual_datacenter_id`

export type Rule = [
  ...[id: number, snat: number, protocol: string | null, original: number | null, translated: number | null],
  ...[datacenterId: number, datacenter: string, networkId: number, network: string],
  ...[ipId: number, ip: string, privateId: number, privateIp: string, privateCenter: number],
  ...[machineId: number, machine: string, applianceId: number, centerId: number, center: string],
  ...[seconds: null, reported: null, packets: null, bytes: null, fault: null, isNew: number],
  ...[description: string, tags: string, last: null, sources: null, ends: null],
]

/** Without a range, sources and an end. Of a device without a gateway. */
export function ruleText(api: string, row: Rule): string {
  const [id, snat, protocol, original, translated, datacenterId, datacenter, networkId, network, ...ends] =
    row
  const [ipId, ip, privateId, privateIp, privateCenter, machineId, machine, applianceId, centerId, center] =
    ends
  const [description, tags] = ends.slice(-5) as [string, string]
  const home = `${api}/admin/datacenters/${datacenterId}`
  const path = `${home}/natnetworks/${networkId}`
  const centers = `${api}/cloud/virtualdatacenters`
  const machinePath = `${centers}/${centerId}/virtualappliances/${applianceId}/virtualmachines/${machineId}`
  const [public_, private_] = snat === 1 ? ['translated', 'original'] : ['original', 'translated']
  return (
    `{"links":[${link('self', `${machinePath}/natrules/${id}`, 'natrule')}` +
    `,${link('virtualmachine', machinePath, 'virtualmachine', machine)}` +
    `,${link('virtualdatacenter', `${centers}/${centerId}`, 'virtualdatacenter', center)}` +
    `,${link(public_, `${path}/ips/${ipId}`, 'natip', ip)}` +
    `,${link(private_, `${centers}/${privateCenter}/privateips/${privateId}`, 'privateip', privateIp)}` +
    `,${link('natnetwork', path, 'natnetwork', network)},${link('datacenter', home, 'datacenter', datacenter)}]` +
    `,"id":${id},"snat":${snat === 1}${protocol === null ? '' : `,"protocol":"${protocol}"`}` +
    `${original === null ? '' : `,"originalPort":${original}`}` +
    `${translated === null ? '' : `,"translatedPort":${translated}`},"enabled":true` +
    `${notes(description, tags)},"deviceState":"unmanaged"}`
  )
}

/** How many addresses of an IPv4 network up to /30 can be in use. */
export const ASSIGNABLE = `(1 << (32 - nat_networks.prefix)) - 2 + (select count(*) from nat_ips as edge
  where edge.nat_network_id = nat_networks.id and edge.ip_key in (nat_networks.first_key, nat_networks.last_key))
  - (nat_counts.ips - nat_counts.used_ips - nat_counts.free_ips)`

export const NETWORK = `select nat_networks.id, nat_networks.name, nat_networks.cidr, nat_networks.datacenter_id, datacenters.name,
  nat_networks.device_id, devices.name, nat_counts.ips, nat_counts.used_ips,
  nat_counts.snat_rules + nat_counts.dnat_rules, ${ASSIGNABLE}, nat_networks.description, nat_networks.tags
  from nat_networks inner join nat_counts on nat_counts.nat_network_id = nat_networks.id
  inner join datacenters on datacenters.id = nat_networks.datacenter_id
  inner join devices on devices.id = nat_networks.device_id`

export type Network = [
  ...[id: number, name: string, cidr: string, datacenterId: number, datacenter: string],
  ...[deviceId: number, device: string, ips: number, usedIps: number, rules: number, assignable: number],
  ...[description: string, tags: string],
]

export function networkText(api: string, row: Network): string {
  const [
    id,
    name,
    cidr,
    datacenterId,
    datacenter,
    deviceId,
    device,
    ips,
    usedIps,
    rules,
    assignable,
    ...about
  ] = row
  const home = `${api}/admin/datacenters/${datacenterId}`
  const path = `${home}/natnetworks/${id}`
  return (
    `{"links":[${link('edit', path, 'natnetwork', name)},${link('datacenter', home, 'datacenter', datacenter)}` +
    `,${link('device', `${api}/cloud/locations/${datacenterId}/devices/${deviceId}`, 'device', device)}` +
    `,${link('ips', `${path}/ips`, 'natips')},${link('rules', `${path}/rules`, 'natrules')}]` +
    `,"id":${id},"name":${quoted(name)},"cidr":"${cidr}"${notes(...about)},"ips":${ips},"usedIps":${usedIps},"rules":${rules}` +
    `,"assignable":${assignable}}`
  )
}
