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
  { name: 'logical gateway', type: 'LOGICAL', description: 'NAT of the shared tenants' },
  { name: 'edge router', type: 'VYOS-LIKE', description: 'NAT towards the carriers' },
  { name: 'perimeter firewall', type: 'FIREWALL', description: 'Filters alone, no NAT' },
] as const

/** In place of the first device of its datacenter: the one whose gateway reports. */
export const linuxDevice = {
  datacenter: 1,
  name: 'Linux gateway',
  type: 'LINUX',
  description: 'NAT of the shared tenants',
} as const

export const gatewayDevice = `${datacenters[linuxDevice.datacenter].name} ${linuxDevice.name}`

/** The networks of each datacenter. `device` is an index into the list above. */
export const networks = [
  [
    { name: 'Madrid public', cidr: '203.0.113.0/24', device: 1, ips: 228 },
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

/** Regions and countries: the two levels below the global scope. Enterprises, their teams and projects follow below. */
export const regions = [
  { name: 'Europe', datacenters: [0, 1], countries: ['Spain', 'Germany', 'Norway', 'France'] },
  { name: 'Asia Pacific', datacenters: [2], countries: ['Singapore region', 'Japan', 'Australia'] },
  { name: 'Americas', datacenters: [0], countries: ['Mexico', 'Chile'] },
] as const

export const teams = ['Network operations', 'Development', 'Customer support'] as const

/** Projects of a development team. */
export const projects = ['Web shop', 'Mobile app'] as const

/** The staff of the cloud itself. Their roles see all enterprises and datacenters. */
export const staff = [
  { nick: 'marta.ibanez', name: 'Marta', surname: 'Ibáñez', role: 'PLATFORM_TEAM' },
  { nick: 'sven.hoffmann', name: 'Sven', surname: 'Hoffmann', role: 'NETWORK_OPERATOR' },
  { nick: 'tomoko.tanaka', name: 'Tomoko', surname: 'Tanaka', role: 'NETWORK_OPERATOR' },
] as const

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

type Service = { protocol: 'TCP' | 'UDP'; original: number; translated: number }

const tcp = (original: number, translated = original): Service => ({ protocol: 'TCP', original, translated })
const udp = (original: number, translated = original): Service => ({ protocol: 'UDP', original, translated })

const ssh = tcp(22022, 22)

/** The machines of a virtual datacenter, with the services that the internet reaches. Seven each, the most important ones first. */
export const machines: { name: string; services: Service[] }[] = [
  {
    name: 'web-1',
    services: [tcp(80, 8080), tcp(443, 8443), ssh, udp(443, 8443), tcp(8080), tcp(8443), tcp(9090)],
  },
  {
    name: 'mail-1',
    services: [tcp(25), tcp(465), tcp(993), ssh, tcp(587), tcp(995), tcp(4190)],
  },
  {
    name: 'game-1',
    services: [udp(27015), udp(27016), udp(27017), ssh, tcp(27015), udp(27018), udp(27019)],
  },
  {
    name: 'vpn-1',
    services: [udp(51820), udp(1194), udp(500), udp(4500), ssh, tcp(443), tcp(1194)],
  },
  {
    name: 'database-1',
    services: [tcp(15432, 5432), ssh, tcp(16379, 6379), tcp(13306, 3306), tcp(9187), tcp(9121), tcp(9104)],
  },
]

export const templates = ['Debian 12', 'Ubuntu 24.04', 'PostgreSQL 15', 'Windows Server 2025'] as const
