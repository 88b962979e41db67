import { allPrivileges } from '#lib/caller/auth/privileges'

export const as = { nick: 'olga', password: 'a password of the first days' }

/** Rows that a mass of rows refers to. */
export const ids = { datacenter: 3, device: 4, role: 5 } as const

/** A small cloud in the schema of the first migration. */
export const rowsOfFirstRelease = (hash: string): string[] => [
  `insert into enterprises (id, name, name_key, default_scope_id, two_factor_mandatory, properties)
    values (7, 'Old & Sons', 'old & sons', 1, 0, '{}')`,
  `insert into datacenters (id, name, name_key, location) values (3, 'Cellar', 'cellar', 'below')`,
  `insert into roles (id, name, name_key, blocked) values (5, 'Everything', 'everything', 0)`,
  ...allPrivileges.map((name) => `insert into role_privileges (role_id, privilege) values (5, '${name}')`),
  `insert into users (id, enterprise_id, role_id, nick, nick_key, name_key, search_key, name, surname, description, email,
      locale, auth_type, active, locked, first_login, password_hash, token_epoch, allowed_cidrs, two_factor_step)
    values (9, 7, 5, '${as.nick}', '${as.nick}', 'olga', 'olga', 'Olga', '', '', '', 'en_US', 'ABIQUO', 1, 0, 0, '${hash}', 0, '[]', 0)`,
  `insert into devices (id, datacenter_id, device_type_id, name, name_key, description, endpoint, login)
    values (4, 3, 1, 'router', 'router', '', '', '')`,
  `insert into virtual_datacenters (id, enterprise_id, datacenter_id, name, name_key) values (6, 7, 3, 'shelf', 'shelf')`,
  `insert into virtual_appliances (id, virtual_datacenter_id, name, name_key) values (8, 6, 'box', 'box')`,
  `insert into virtual_machines
      (id, virtual_appliance_id, virtual_datacenter_id, enterprise_id, name, name_key, label, state)
    values (10, 8, 6, 7, 'Mühle', 'mühle', '', 'OFF')`,
  `insert into private_ips (id, virtual_datacenter_id, virtual_machine_id, nic, ip, ip_key, mac)
    values (11, 6, 10, 0, '192.168.7.1', '4c0a80701', '02:00:00:00:00:01')`,
  `insert into nat_networks (id, datacenter_id, device_id, name, name_key, cidr, first_key, last_key, prefix)
    values (12, 3, 4, 'outside', 'outside', '10.9.8.0/24', '40a090800', '40a0908ff', 24)`,
  `insert into nat_counts (nat_network_id, datacenter_id, ips, available_ips, used_ips, default_snat_ips,
      available_default_snat_ips, snat_rules, dnat_rules) values (12, 3, 2, 1, 1, 0, 0, 0, 1)`,
  `insert into nat_ips (id, nat_network_id, datacenter_id, virtual_datacenter_id, ip, ip_key, available, quarantine, default_snat)
    values (13, 12, 3, 6, '10.9.8.1', '40a090801', 1, 0, 0), (14, 12, 3, null, '10.9.8.2', '40a090802', 0, 1, 0)`,
  `insert into nat_rules (id, nat_ip_id, private_ip_id, virtual_machine_id, nat_network_id, datacenter_id, ip_key, snat,
      protocol, original_port, translated_port) values (15, 13, 11, 10, 12, 3, '40a090801', 0, 'TCP', 80, 8080)`,
]
