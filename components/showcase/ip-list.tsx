import { type RefObject, useState } from 'react'
import { Button } from '#components/kit/button'
import { Facts } from '#components/kit/facts'
import { Facets, FilterField } from '#components/kit/filter'
import { Band, Panel } from '#components/kit/frame'
import { MenuAt, type MenuEntry } from '#components/kit/menu'
import { Pager } from '#components/kit/pager'
import { RowButton } from '#components/kit/row-action'
import { screenIcons } from '#components/kit/screen-icons'
import { Selection } from '#components/kit/selection'
import { SignOf } from '#components/kit/state'
import { Table } from '#components/kit/table'
import type { Column } from '#components/kit/table-columns'
import { toast } from '#components/kit/toast'
import { Tool } from '#components/kit/tool'
import { completionsOf, type Ip, matchesOf, type State, signs, states } from './made-up-ips'
import styles from './showcase.module.css'

const size = 28

const StateOf = ({ state }: { state: State }) => (
  <span className={styles.state}>
    <SignOf sign={signs[state]} />
    {state}
  </span>
)

const orNone = (text: string | number) => text || <span className={styles.none}>–</span>

const columnsWith = (openMenu: (row: Ip, at: HTMLElement) => void): readonly Column<Ip>[] => [
  {
    id: 'ip',
    header: 'Address',
    by: 'ip',
    width: 160,
    isRowHeader: true,
    small: 'first',
    cell: ({ ip }) => <span className={styles.ip}>{ip}</span>,
  },
  { id: 'state', header: 'State', width: 130, small: 'end', cell: (row) => <StateOf state={row.state} /> },
  {
    id: 'enterprise',
    header: 'Enterprise',
    by: 'enterprise',
    small: 'below',
    cell: (row) => orNone(row.enterprise),
  },
  { id: 'network', header: 'Network', by: 'network', small: 'below', cell: ({ network }) => network },
  { id: 'rules', header: 'Rules', width: 72, isNumber: true, cell: ({ rules }) => orNone(rules) },
  {
    id: 'actions',
    header: 'Actions',
    width: 40,
    isTool: true,
    cell: (row) => (
      <RowButton label={`Actions for ${row.ip}`} onPress={(at) => openMenu(row, at)}>
        {screenIcons.more}
      </RowButton>
    ),
  },
]

const said = (text: string) => () => toast({ text, actions: <Button look="quiet">Undo</Button> })

const actionsFor = (name: string, isHeld: boolean): readonly MenuEntry[] => [
  {
    id: 'attach',
    text: 'Attach',
    refused: isHeld ? 'An enterprise holds it already.' : undefined,
    run: said(`${name} is attached to Albatros Airlines`),
  },
  {
    id: 'release',
    text: 'Release',
    refused: isHeld ? undefined : 'No enterprise holds it.',
    run: said(`${name} is released`),
  },
  { id: 'quarantine', text: 'Quarantine', run: said(`${name} is in quarantine`) },
  {
    id: 'delete',
    text: 'Delete',
    isDanger: true,
    refused: isHeld ? 'Release it first.' : undefined,
    run: said(`${name} is deleted`),
  },
]

const none: ReadonlySet<number> = new Set()

export function IpList() {
  const [text, setText] = useState('')
  const [order, setOrder] = useState({ by: 'ip', asc: true })
  const [page, setPage] = useState(0)
  const [selected, setSelected] = useState(none)
  const [open, setOpen] = useState<number>()
  const [menu, setMenu] = useState<{ row: Ip; at: RefObject<HTMLElement> }>()
  const [widths, setWidths] = useState<Record<string, number>>({})
  const [columns] = useState(() => columnsWith((row, at) => setMenu({ row, at: { current: at } })))
  const { rows: found, rest, state, counts } = matchesOf(text, order)
  const rows = found.slice(page * size, (page + 1) * size)
  const shown = found.find(({ id }) => id === open)
  const last = Math.ceil(found.length / size) - 1
  const filter = (next: string) => {
    setText(next)
    setPage(0)
  }
  return (
    <div className={styles.list}>
      <Band label="Addresses">
        {selected.size > 0 ? (
          <Selection
            text={`${selected.size} selected`}
            clearLabel="Clear the selection"
            moreLabel="More actions"
            actions={actionsFor(
              `${selected.size} addresses`,
              found.some((row) => selected.has(row.id) && row.state === 'attached'),
            )}
            onClear={() => setSelected(none)}
          />
        ) : (
          <>
            <h3>
              Addresses <small className={styles.count}>{found.length}</small>
            </h3>
            <FilterField
              label="Find addresses"
              clearLabel="Clear the filter"
              text={text.trim()}
              state={text.trim()}
              complete={completionsOf}
              onFilter={(next) => {
                filter(next)
                return next.trim()
              }}
            />
            <Facets
              label="State"
              chosen={state}
              format={String}
              facets={states.map((id) => ({
                id,
                name: id,
                sign: <SignOf sign={signs[id]} />,
                count: counts[id]?.length ?? 0,
              }))}
              onChoose={(id) => filter([rest, id && `state:${id}`].filter(Boolean).join(' '))}
            />
            <span className={styles.rest} />
            <Button look="main" icon={screenIcons.plus}>
              Add
            </Button>
          </>
        )}
        <Pager
          label="Pages"
          position={rows.length > 0 ? `${page * size + 1}–${page * size + rows.length}` : ''}
          before={{ label: 'Previous page', go: page > 0 ? () => setPage(page - 1) : undefined }}
          after={{ label: 'Next page', go: page < last ? () => setPage(page + 1) : undefined }}
          onNear={() => undefined}
        />
      </Band>
      <div className={styles.beside}>
        <Table
          label="Addresses"
          columns={columns}
          rowAt={(index) => rows[index]}
          page={rows}
          sort={{ ...order, onSort: (by, asc) => setOrder({ by, asc }) }}
          selection={{
            ids: selected,
            onSelect: (ids) => setSelected(new Set(ids)),
            labels: { all: 'Select the page', row: ({ ip }) => `Select ${ip}` },
          }}
          widths={widths}
          onWidths={setWidths}
          widthLabel={(column) => `Width of ${column}`}
          first={0}
          total={rows.length}
          size={size}
          source={`${page} ${text}`}
          scale={{ label: 'Position', text: String }}
          open={open}
          onOpen={({ id }) => setOpen(id)}
          isStale={false}
          empty={
            <div className={styles.empty}>
              <strong>No address matches</strong>
              <Button onPress={() => filter('')}>Clear the filter</Button>
            </div>
          }
        />
        {shown && <IpPanel key={shown.id} ip={shown} onClose={() => setOpen(undefined)} />}
      </div>
      {menu && (
        <MenuAt
          label={`Actions for ${menu.row.ip}`}
          at={menu.at}
          entries={actionsFor(menu.row.ip, menu.row.state === 'attached')}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  )
}

const IpPanel = ({ ip, onClose }: { ip: Ip; onClose: () => void }) => (
  <Panel
    title={ip.ip}
    label={ip.ip}
    closeLabel="Close"
    onClose={onClose}
    actions={actionsFor(ip.ip, ip.state === 'attached').map(({ id, text, refused, run }) => (
      <Tool key={id} refused={refused} onPress={run}>
        {text}
      </Tool>
    ))}
  >
    <Facts
      items={[
        { label: 'State', value: <StateOf state={ip.state} /> },
        { label: 'Enterprise', value: orNone(ip.enterprise) },
        { label: 'Network', value: ip.network },
        { label: 'Rules', value: orNone(ip.rules) },
      ]}
    />
  </Panel>
)
