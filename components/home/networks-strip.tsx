import { type KeyboardEvent, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { fullnessOf, percentOf } from '#components/cloud/nat/nat-use'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import type { Collection } from '#lib/ground/http/view'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import styles from './networks-strip.module.css'

type Use = 'unused' | 'free' | 'nearlyFull' | 'full'

const uses: readonly Use[] = ['unused', 'free', 'nearlyFull', 'full']

const useOf = (network: NatNetworkDocument): Use => (network.usedIps === 0 ? 'unused' : fullnessOf(network))

/** A cell for each network, the fullest first. Arrow keys move between the cells, of which one is in the tab order. */
export function NetworksStrip({ networks }: { networks: Collection<NatNetworkDocument> }) {
  const say = useTranslations('home.strip')
  const list = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(0)
  const { collection, totalSize } = networks
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIn(list.current, event.key, current)
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    list.current?.querySelectorAll('a')[next]?.focus()
  }
  return (
    <div className={styles.strip}>
      <ul ref={list} className={styles.cells} aria-label={say('label')} onKeyDown={onKeyDown}>
        {collection.map((network, index) => (
          <Cell
            key={network.id}
            network={network}
            isCurrent={index === Math.min(current, collection.length - 1)}
            onFocus={() => setCurrent(index)}
          />
        ))}
      </ul>
      <div className={styles.legend}>
        <ul>
          {uses.map((use) => (
            <li key={use}>
              <span className={`${styles.cell} ${styles[use]}`} aria-hidden="true" />
              {say(`uses.${use}`)}
            </li>
          ))}
        </ul>
        {totalSize > collection.length && (
          <AppLink to={paths.natNetworks()}>
            {say('all', { count: totalSize, shown: collection.length })}
          </AppLink>
        )}
      </div>
    </div>
  )
}

type CellProps = { network: NatNetworkDocument; isCurrent: boolean; onFocus: () => void }

function Cell({ network, isCurrent, onFocus }: CellProps) {
  const say = useTranslations('home.strip')
  const format = useFormatter()
  const datacenter = linkOf(network, 'datacenter')
  const percent = percentOf(network)
  const name = say('cell', {
    name: network.name,
    datacenter: datacenter?.title ?? '',
    share: format.number(percent / 100, { style: 'percent' }),
    used: network.usedIps,
  })
  return (
    <li>
      <a
        href={paths.natNetwork(idOfLink(datacenter) ?? 0, network.id)}
        className={`${styles.cell} ${styles[useOf(network)]}`}
        tabIndex={isCurrent ? 0 : -1}
        title={name}
        aria-label={name}
        onFocus={onFocus}
      >
        <span className={styles.fill} style={{ blockSize: `${Math.max(percent, 6)}%` }} />
      </a>
    </li>
  )
}

/** The index of the cell that a key leads to: rows are as long as the list is wide. */
function nextIn(list: HTMLElement | null, key: string, at: number): number | undefined {
  const cells = [...(list?.querySelectorAll('a') ?? [])]
  const top = cells[0]?.offsetTop
  const columns = cells.findIndex(({ offsetTop }) => offsetTop !== top)
  const row = columns === -1 ? cells.length : columns
  const steps: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - row,
    ArrowDown: at + row,
    Home: 0,
    End: cells.length - 1,
  }
  const next = steps[key]
  if (next === undefined) return undefined
  return next >= 0 && next < cells.length ? next : at
}
