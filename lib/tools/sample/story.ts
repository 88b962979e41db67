/* The history of the sample cloud. A day counts back from today; the names are from names.ts. */

/** The length of the past in days. */
export const DAYS = 60

export const madeNetworks = [
  { day: 52, name: 'Frankfurt dedicated', cidr: '198.19.32.0/25', datacenter: 'Frankfurt', ips: 126 },
  { day: 38, name: 'Frankfurt partners', cidr: '198.19.48.0/26', datacenter: 'Frankfurt', ips: 40 },
  { day: 27, name: 'Singapore IPv6', cidr: '2001:db8:300::/64', datacenter: 'Singapore', ips: 64 },
  { day: 20, name: 'Frankfurt test', cidr: '198.19.64.0/28', datacenter: 'Frankfurt', ips: 4 },
] as const

/** The network that fills up: two or three IPs are attached each day, and one is released on some days. */
export const filling = { network: 'Frankfurt dedicated', from: 51, attached: 126, released: 9 }

export const addedIps = { day: 50, network: 'Madrid public', ips: 12 }
export const renamedNetwork = { day: 15, from: 'Frankfurt partners', to: 'Frankfurt peering' }
export const removedNetwork = { day: 19, name: 'Frankfurt test' }

export const madeScopes = [
  { day: 57, name: 'Helio Energy: solar farms', parent: 'Helio Energy' },
  { day: 48, name: 'Jade Telecom: roaming', parent: 'Jade Telecom' },
  { day: 41, name: 'Iberia Media: streaming', parent: 'Iberia Media: network operations' },
  { day: 37, name: 'Lumen University: research', parent: 'Lumen University' },
  { day: 33, name: 'Kestrel Logistics: warehouses', parent: 'Kestrel Logistics' },
  { day: 26, name: 'Albatros Airlines: check-in', parent: 'Albatros Airlines: development' },
  { day: 22, name: 'Cobalt Pharma: trials', parent: 'Cobalt Pharma: development' },
  { day: 17, name: 'Delta Robotics: field tests', parent: 'Delta Robotics: customer support' },
  { day: 12, name: 'Fjord Shipping: harbour', parent: 'Fjord Shipping' },
  { day: 9, name: 'Granite Insurance: claims', parent: 'Granite Insurance: development' },
  { day: 8, name: 'Nordic trial', parent: 'Europe' },
] as const

export const renamedScopes = [
  { day: 29, from: 'Iberia Media: streaming', to: 'Iberia Media: live streaming' },
  { day: 11, from: 'Lumen University: research', to: 'Lumen University: research computing' },
] as const

export const movedScopes = [
  { day: 30, name: 'Jade Telecom: roaming', to: 'Jade Telecom: network operations' },
  { day: 1, name: 'Fjord Shipping: harbour', to: 'Fjord Shipping: development' },
] as const

export const removedScope = { day: 7, name: 'Nordic trial' }

/** Users whom an administrator of their enterprise created. `signsIn`: days later; without it they have not signed in yet. */
export const madeUsers = [
  { day: 55, enterprise: 'Banco del Sur', name: 'Lidia', surname: 'Moreno', signsIn: 1 },
  { day: 46, enterprise: 'Jade Telecom', name: 'Oscar', surname: 'Brandt', signsIn: 1 },
  { day: 39, enterprise: 'Delta Robotics', name: 'Frida', surname: 'Nygård', signsIn: 2 },
  { day: 28, enterprise: 'Evergreen Retail', name: 'Mei', surname: 'Sato', signsIn: 1 },
  { day: 16, enterprise: 'Helio Energy', name: 'Diego', surname: 'Rojas', signsIn: 3 },
  { day: 4, enterprise: 'Kestrel Logistics', name: 'Hanna', surname: 'Vogel' },
  { day: 2, enterprise: 'Fjord Shipping', name: 'Aksel', surname: 'Lund' },
] as const

export const madeRole = {
  day: 45,
  name: 'SUPPORT_DESK',
  privileges: ['VDC_ENUMERATE', 'USERS_VIEW'],
} as const
export const grownRole = { day: 31, name: 'SUPPORT_DESK', privilege: 'EVENTLOG_VIEW_ENTERPRISE' } as const

/** Viewers who got another role. */
export const changedRoles = [
  { day: 44, enterprise: 'Cobalt Pharma', to: 'SUPPORT_DESK' },
  { day: 34, enterprise: 'Granite Insurance', to: 'SUPPORT_DESK' },
  { day: 21, enterprise: 'Lumen University', to: 'USER' },
] as const

/** The days on which two factor was enabled: by a nick, or by the administrator of an enterprise. */
export const twoFactor = [
  { day: 59, nick: 'marta.ibanez' },
  { day: 53, nick: 'sven.hoffmann' },
  { day: 43, enterprise: 'Banco del Sur' },
  { day: 36, enterprise: 'Granite Insurance' },
  { day: 24, enterprise: 'Jade Telecom' },
  { day: 13, enterprise: 'Cobalt Pharma' },
] as const

/** Strangers who tried to sign in with a nick that does not exist. */
export const strangers = [
  { day: 49, address: '192.0.2.77', attempts: 6 },
  { day: 25, address: '198.51.100.201', attempts: 3 },
  { day: 10, address: '2001:db8:bad::7', attempts: 9 },
] as const

/** The days on which a user mistyped their password before the right one. */
export const mistypes = { every: 4, from: 58, until: 2 }

/** IPs that an operator put into quarantine and released three days later. */
export const quarantines = { every: 7, from: 56, days: 3 }

/** IPs that an enterprise attached for a few days. */
export const trials = { every: 4, from: 60, days: 2 }
