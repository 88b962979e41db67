import type { MigrationTypes } from '#lib/db/dialect.server'

/**
 * The first schema. `name_key` is the name folded for search and order (see fold.ts); `ip_key` sorts in the order of addresses. References
 * never cascade: the domains decide which rows a deletion removes.
 */
export const statements = ({ id, idFrom, key }: MigrationTypes): string[] => [
  `create table scopes (
    id ${idFrom(2)},
    name text not null constraint scopes_name_key unique,
    name_key ${key} not null,
    parent_id bigint references scopes,
    all_datacenters smallint not null,
    all_enterprises smallint not null
  )`,
  'create index scopes_parent on scopes (parent_id, name_key, id)',
  'create index scopes_order on scopes (name_key, id)',
  `insert into scopes (id, name, name_key, all_datacenters, all_enterprises) values (1, 'Global scope', 'global scope', 1, 1)`,

  `create table enterprises (
    id ${id},
    name text not null constraint enterprises_name_key unique,
    name_key ${key} not null,
    default_scope_id bigint not null references scopes,
    two_factor_mandatory smallint not null,
    properties text not null
  )`,
  'create index enterprises_order on enterprises (name_key, id)',
  'create index enterprises_default_scope on enterprises (default_scope_id)',

  `create table datacenters (
    id ${id},
    name text not null constraint datacenters_name_key unique,
    name_key ${key} not null,
    location text not null
  )`,
  'create index datacenters_order on datacenters (name_key, id)',

  `create table scope_entities (
    id ${id},
    scope_id bigint not null references scopes,
    enterprise_id bigint references enterprises,
    datacenter_id bigint references datacenters,
    constraint scope_entities_enterprise_key unique (scope_id, enterprise_id),
    constraint scope_entities_datacenter_key unique (scope_id, datacenter_id),
    constraint scope_entities_one check ((enterprise_id is null) <> (datacenter_id is null))
  )`,
  'create index scope_entities_enterprise on scope_entities (enterprise_id, scope_id)',
  'create index scope_entities_datacenter on scope_entities (datacenter_id, scope_id)',

  `create table roles (
    id ${id},
    name text not null constraint roles_name_key unique,
    name_key ${key} not null,
    enterprise_id bigint references enterprises,
    scope_id bigint references scopes,
    blocked smallint not null
  )`,
  'create index roles_order on roles (name_key, id)',
  'create index roles_scope on roles (scope_id)',
  'create index roles_enterprise on roles (enterprise_id)',
  `create table role_privileges (
    role_id bigint not null references roles,
    privilege text not null,
    primary key (role_id, privilege)
  )`,

  `create table users (
    id ${id},
    enterprise_id bigint not null references enterprises,
    role_id bigint not null references roles,
    scope_id bigint references scopes,
    nick text not null constraint users_nick_key unique,
    nick_key ${key} not null,
    name_key ${key} not null,
    search_key text not null,
    name text not null,
    surname text not null,
    description text not null,
    email text not null,
    locale text not null,
    auth_type text not null,
    active smallint not null,
    locked smallint not null,
    first_login smallint not null,
    password_hash text not null,
    token_epoch bigint not null,
    allowed_cidrs text not null,
    two_factor_provider text,
    two_factor_secret text,
    two_factor_step bigint not null
  )`,
  'create index users_order on users (nick_key, id)',
  'create index users_name on users (name_key, id)',
  'create index users_enterprise on users (enterprise_id, nick_key, id)',
  'create index users_scope on users (scope_id)',
  'create index users_role on users (role_id)',
  `create table scratch_codes (
    id ${id},
    user_id bigint not null references users,
    code_hash text not null
  )`,
  'create index scratch_codes_user on scratch_codes (user_id, code_hash)',
  'create table ended_sessions (id text primary key, expires_at bigint not null)',
  'create index ended_sessions_expiry on ended_sessions (expires_at)',

  `create table racks (
    id ${id},
    datacenter_id bigint not null references datacenters,
    name text not null,
    name_key ${key} not null,
    short_description text not null
  )`,
  'create index racks_order on racks (datacenter_id, name_key, id)',
  `create table remote_services (
    id ${id},
    datacenter_id bigint not null references datacenters,
    type text not null,
    uri text not null,
    status integer not null
  )`,
  'create index remote_services_order on remote_services (datacenter_id, type, id)',
  `create table device_types (
    id ${id},
    name text not null constraint device_types_name_key unique,
    name_key ${key} not null,
    nat smallint not null
  )`,
  `insert into device_types (name, name_key, nat) values
    ('LOGICAL', 'logical', 1), ('VYOS-LIKE', 'vyos-like', 1), ('FIREWALL', 'firewall', 0)`,
  `create table devices (
    id ${id},
    datacenter_id bigint not null references datacenters,
    device_type_id bigint not null references device_types,
    name text not null,
    name_key ${key} not null,
    description text not null,
    endpoint text not null,
    login text not null,
    password text,
    constraint devices_name_key unique (datacenter_id, name)
  )`,
  'create index devices_order on devices (datacenter_id, name_key, id)',
  'create index devices_type on devices (device_type_id)',

  `create table templates (
    id ${id},
    enterprise_id bigint not null references enterprises,
    datacenter_id bigint not null references datacenters,
    scope_id bigint references scopes,
    name text not null,
    name_key ${key} not null
  )`,
  'create index templates_order on templates (enterprise_id, datacenter_id, name_key, id)',
  'create index templates_datacenter on templates (datacenter_id)',
  'create index templates_scope on templates (scope_id)',
  `create table virtual_datacenters (
    id ${id},
    enterprise_id bigint not null references enterprises,
    datacenter_id bigint not null references datacenters,
    device_id bigint references devices,
    name text not null,
    name_key ${key} not null
  )`,
  'create index virtual_datacenters_order on virtual_datacenters (name_key, id)',
  'create index virtual_datacenters_enterprise on virtual_datacenters (enterprise_id, name_key, id)',
  'create index virtual_datacenters_datacenter on virtual_datacenters (datacenter_id, name_key, id)',
  'create index virtual_datacenters_device on virtual_datacenters (device_id)',
  `create table virtual_appliances (
    id ${id},
    virtual_datacenter_id bigint not null references virtual_datacenters,
    name text not null,
    name_key ${key} not null
  )`,
  'create index virtual_appliances_order on virtual_appliances (virtual_datacenter_id, name_key, id)',
  `create table virtual_machines (
    id ${id},
    virtual_appliance_id bigint not null references virtual_appliances,
    virtual_datacenter_id bigint not null references virtual_datacenters,
    enterprise_id bigint not null references enterprises,
    user_id bigint references users,
    template_id bigint references templates,
    name text not null,
    name_key ${key} not null,
    label text not null,
    state text not null
  )`,
  'create index virtual_machines_order on virtual_machines (virtual_appliance_id, name_key, id)',
  'create index virtual_machines_datacenter on virtual_machines (virtual_datacenter_id)',
  'create index virtual_machines_enterprise on virtual_machines (enterprise_id)',
  'create index virtual_machines_user on virtual_machines (user_id, name_key, id)',
  'create index virtual_machines_template on virtual_machines (template_id, enterprise_id)',
  `create table private_ips (
    id ${id},
    virtual_datacenter_id bigint not null references virtual_datacenters,
    virtual_machine_id bigint references virtual_machines,
    nic integer,
    ip text not null,
    ip_key ${key} not null,
    mac text not null,
    constraint private_ips_key unique (virtual_datacenter_id, ip_key)
  )`,
  'create index private_ips_machine on private_ips (virtual_machine_id, nic)',

  `create table nat_networks (
    id ${id},
    datacenter_id bigint not null references datacenters,
    device_id bigint not null references devices,
    name text not null,
    name_key ${key} not null,
    cidr text not null,
    first_key ${key} not null,
    last_key ${key} not null,
    prefix integer not null,
    constraint nat_networks_name_key unique (datacenter_id, name)
  )`,
  'create index nat_networks_order on nat_networks (datacenter_id, name_key, id)',
  'create index nat_networks_cidr on nat_networks (datacenter_id, first_key, prefix, id)',
  'create index nat_networks_device on nat_networks (device_id, first_key)',
  `create table nat_counts (
    nat_network_id bigint primary key references nat_networks,
    datacenter_id bigint not null references datacenters,
    ips bigint not null,
    available_ips bigint not null,
    used_ips bigint not null,
    default_snat_ips bigint not null,
    available_default_snat_ips bigint not null,
    snat_rules bigint not null,
    dnat_rules bigint not null
  )`,
  'create index nat_counts_datacenter on nat_counts (datacenter_id)',
  `create table nat_ips (
    id ${id},
    nat_network_id bigint not null references nat_networks,
    datacenter_id bigint not null references datacenters,
    virtual_datacenter_id bigint references virtual_datacenters,
    ip text not null,
    ip_key ${key} not null,
    available smallint not null,
    quarantine smallint not null,
    default_snat smallint not null,
    constraint nat_ips_key unique (nat_network_id, ip_key)
  )`,
  'create index nat_ips_order on nat_ips (datacenter_id, ip_key, id)',
  'create index nat_ips_available on nat_ips (datacenter_id, ip_key, id) where available = 1',
  'create index nat_ips_network_available on nat_ips (nat_network_id, ip_key) where available = 1',
  'create index nat_ips_default_snat on nat_ips (datacenter_id, ip_key, id) where default_snat = 1',
  'create index nat_ips_attached on nat_ips (virtual_datacenter_id, ip_key) where virtual_datacenter_id is not null',
  `create table nat_rules (
    id ${id},
    nat_ip_id bigint not null references nat_ips,
    private_ip_id bigint not null references private_ips,
    virtual_machine_id bigint not null references virtual_machines,
    nat_network_id bigint not null references nat_networks,
    datacenter_id bigint not null references datacenters,
    ip_key ${key} not null,
    snat smallint not null,
    protocol text,
    original_port integer,
    translated_port integer
  )`,
  'create index nat_rules_order on nat_rules (datacenter_id, ip_key, id)',
  'create index nat_rules_kind_order on nat_rules (datacenter_id, snat, ip_key, id)',
  'create index nat_rules_network_order on nat_rules (nat_network_id, ip_key, id)',
  'create index nat_rules_ip on nat_rules (nat_ip_id)',
  'create index nat_rules_machine on nat_rules (virtual_machine_id)',
  'create unique index nat_rules_snat_key on nat_rules (private_ip_id) where snat = 1',
  `create unique index nat_rules_dnat_key on nat_rules (nat_ip_id, protocol, coalesce(original_port, 0)) where snat = 0`,
]
