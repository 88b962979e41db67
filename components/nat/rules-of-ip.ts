import { paths } from '#components/paths'
import type { OpenIp } from './open-ip'

/** Where the rules of one NAT IP stand: those of its network, filtered by it. */
export const rulesOfIp = (datacenter: number, { network, id }: OpenIp): string =>
  `${paths.natNetwork(datacenter, network, 'rules')}&rules.natip=${id}`
