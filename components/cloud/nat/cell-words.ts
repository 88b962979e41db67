import { useFormatter, useTranslations } from 'use-intl'
import { useSession } from '#components/base/session/session'
import { countText } from './cidr-facts'
import { addressOf, addressState, type CellState, type MapCell } from './map-cells'

/** The state to show: users who do not see all enterprises cannot know that an IP is free. */
export function useKnownState(): (state: CellState) => CellState | 'unknown' {
  const { scope } = useSession()
  return (state) => (state === 'free' && !scope.allEnterprises ? 'unknown' : state)
}

/** The results of the check and of the device for the IPs of a cell, in sentences. */
export function useFaultWords(): (cell: MapCell) => string[] {
  const say = useTranslations('nat.map')
  return ({ held, isAddress }) => {
    const where = isAddress ? 'address' : 'block'
    const { errors = 0, drifted = 0 } = held ?? {}
    return [
      ...(errors > 0 ? [say('errors', { where, count: errors })] : []),
      ...(drifted > 0 ? [say('drifted', { where, count: drifted })] : []),
    ]
  }
}

/** A cell in words, for screen readers and for the text beside the map. */
export function useCellWords(): (cell: MapCell) => string {
  const stateOf = useStateWords()
  const faultsOf = useFaultWords()
  const say = useTranslations('layout.asOf.since')
  return (cell) => {
    const now = cell.now ? [say('nowIs', { value: stateOf(cell.now) })] : []
    return [stateOf(cell), ...faultsOf(cell), ...now].join('. ')
  }
}

export function useStateWords(): (cell: MapCell) => string {
  const say = useTranslations('nat.map')
  const format = useFormatter()
  const known = useKnownState()
  return (cell) => {
    const { held, cidr, size } = cell
    if (cell.isAddress) {
      return say('address', {
        ip: addressOf(cidr),
        state: known(addressState(cell)),
        held: held?.virtualDatacenter ? 'yes' : 'no',
        center: held?.virtualDatacenter ?? '',
        enterprise: held?.enterprise ?? '',
      })
    }
    return say('block', {
      cidr,
      size: countText(size, (number) => format.number(number)),
      ips: held?.ips ?? 0,
      attached: held?.attached ?? 0,
      unavailable: (held?.ips ?? 0) - (held?.available ?? 0),
      quarantine: held?.quarantine ?? 0,
      defaults: held?.defaultSnat ?? 0,
    })
  }
}
