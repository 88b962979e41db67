/** Names and addresses of the sample cloud. The addresses are from documentation and shared ranges. */

export const datacenters = [
  { name: 'Madrid', location: 'Alcobendas, Spain' },
  { name: 'Frankfurt', location: 'Frankfurt am Main, Germany' },
  { name: 'Singapore', location: 'Jurong, Singapore' },
] as const

export const racks = ['Row A, rack 1', 'Row A, rack 2', 'Row B, rack 1', 'Row B, rack 2'] as const

export const remoteServices = [
  ['VIRTUAL_FACTORY', 8081],
  ['APPLIANCE_MANAGER', 8082],
  ['NODE_COLLECTOR', 8083],
  ['STORAGE_SYSTEM_MONITOR', 8084],
] as const

export const devices = [
  { name: 'Logical gateway', type: 'LOGICAL', description: 'NAT of the shared tenants' },
  { name: 'Edge router', type: 'VYOS-LIKE', description: 'NAT towards the carriers' },
  { name: 'Perimeter firewall', type: 'FIREWALL', description: 'Filters alone, no NAT' },
] as const

/** The networks of each datacenter. `device` is an index into the list above. */
export const networks = [
  [
    { name: 'Madrid public', cidr: '203.0.113.0/24', device: 1, ips: 240 },
    { name: 'Madrid carrier grade', cidr: '100.64.0.0/16', device: 0, ips: 2400 },
    { name: 'Madrid IPv6', cidr: '2001:db8:100::/64', device: 1, ips: 300 },
  ],
  [
    { name: 'Frankfurt public', cidr: '198.51.100.0/24', device: 1, ips: 200 },
    { name: 'Frankfurt shared', cidr: '100.80.0.0/21', device: 0, ips: 900 },
    { name: 'Frankfurt backup', cidr: '198.18.10.0/26', device: 1, ips: 40 },
  ],
  [
    { name: 'Singapore public', cidr: '192.0.2.0/25', device: 1, ips: 120 },
    { name: 'Singapore shared', cidr: '100.96.0.0/22', device: 0, ips: 780 },
    { name: 'Singapore lab', cidr: '198.18.64.0/27', device: 1, ips: 20 },
  ],
] as const

export const enterprises = [
  'Albatros Airlines',
  'Banco del Sur',
  'Cobalt Pharma',
  'Delta Robotics',
  'Evergreen Retail',
  'Fjord Shipping',
  'Granite Insurance',
  'Helio Energy',
  'Iberia Media',
  'Jade Telecom',
  'Kestrel Logistics',
  'Lumen University',
] as const

/** Regions and countries: the two levels below the global scope. Enterprises and their teams follow below. */
export const regions = [
  { name: 'Europe', datacenters: [0, 1], countries: ['Spain', 'Germany', 'Norway', 'France'] },
  { name: 'Asia Pacific', datacenters: [2], countries: ['Singapore region', 'Japan', 'Australia'] },
  { name: 'Americas', datacenters: [0], countries: ['Mexico', 'Chile'] },
] as const

export const teams = ['Network operations', 'Development', 'Customer support'] as const

export const firstNames = [
  ...[
    'Ana',
    'Bruno',
    'Carla',
    'Daniel',
    'Elena',
    'Felix',
    'Greta',
    'Hugo',
    'Irene',
    'Jonas',
    'Keiko',
    'Lucas',
  ],
  ...['Marta', 'Nils', 'Olga', 'Pablo', 'Rosa', 'Sven', 'Tomoko', 'Vera'],
] as const

export const surnames = [
  ...[
    'Álvarez',
    'Berg',
    'Castro',
    'Dietrich',
    'Eriksen',
    'Fuentes',
    'García',
    'Hoffmann',
    'Ibáñez',
    'Johansen',
  ],
  ...['Kimura', 'López', 'Müller', 'Navarro', 'Ortega', 'Peña', 'Quintana', 'Ruiz', 'Tanaka', 'Weber'],
] as const

export const machines = ['web', 'api', 'database', 'mail', 'cache', 'worker', 'proxy', 'search'] as const

export const templates = ['Debian 12', 'Ubuntu 24.04', 'PostgreSQL 15', 'Windows Server 2025'] as const
