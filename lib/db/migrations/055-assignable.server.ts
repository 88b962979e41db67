const bits = (width: number): string => `cast(${width} - nat_networks.prefix as integer)`
const size = (width: number): string => `(cast(1 as bigint) << ${bits(width)})`

const isFour = `nat_networks.first_key < '5'`

const automatic = `case when ${isFour} and nat_networks.prefix >= 31 then ${size(32)}
  when ${isFour} then ${size(32)} - 2
  when nat_networks.prefix >= 127 then ${size(128)}
  when nat_networks.prefix >= 75 then ${size(128)} - 1 end`

const edges = `case when nat_networks.prefix >= (case when ${isFour} then 31 else 127 end) then 0
  else (select count(*) from nat_ips where nat_ips.nat_network_id = nat_networks.id and nat_ips.ip_key in
    (nat_networks.first_key, case when ${isFour} then nat_networks.last_key else nat_networks.first_key end)) end`

/** How many addresses can be in use, in the history of a network's use. Of days before the last change it is unknown. */
export const statements = (): string[] => [
  'alter table nat_use_days add column assignable bigint',
  `update nat_use_days set assignable = (
    select nullif(${automatic} + ${edges} - (nat_counts.ips - nat_counts.used_ips - nat_counts.free_ips), 9007199254740992)
    from nat_networks join nat_counts on nat_counts.nat_network_id = nat_networks.id
    where nat_networks.id = nat_use_days.nat_network_id)
  where day = (select max(later.day) from nat_use_days as later where later.nat_network_id = nat_use_days.nat_network_id)`,
]
