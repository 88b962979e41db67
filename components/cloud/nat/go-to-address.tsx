import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { FailureText } from '#components/base/forms/failure'
import { useOneAtATime } from '#components/base/forms/one-at-a-time'
import { useIsPast } from '#components/base/screens/as-of'
import { searchWith } from '#components/base/screens/use-search-change'
import { Button } from '#components/kit/button'
import { Drop } from '#components/kit/drop'
import { TextField } from '#components/kit/field'
import { Row } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { Status } from '#components/kit/status'
import { pageStart } from '#components/table/table-url'
import type { TableState } from '#components/table/use-table-state'
import type { Query } from '#lib/client/resources.queries'
import { ipPositionQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument, NatIpPosition } from '#lib/cloud/nat/ips.schema'
import { natNetworksQuery } from '#lib/cloud/nat/networks.queries'
import type { NatNetworkDocument } from '#lib/cloud/nat/networks.schema'
import { formatAddress, parseAddress, rangeMeant, rangeWord, sizeOfRange } from '#lib/ground/net/addresses'
import styles from './nat.module.css'

type Options = {
  /** If absent, the list has the IPs of all datacenters. */
  datacenter: number | undefined
  /** If absent, the list has the IPs of all networks. */
  network: NatNetworkDocument | undefined
  table: Pick<TableState<string>, 'first' | 'asc' | 'by' | 'filters' | 'searchOfRow' | 'setSearch'>
  /** The filters of the list, without its page and order. */
  filters: Query
  /** The prefix of the table's parameters in the URL. */
  prefix: string
}

/** The canonical spelling of an address, or undefined if the text is not an address. */
function canonical(text: string): string | undefined {
  const parsed = parseAddress(text.trim())
  return parsed && formatAddress(parsed.version, parsed.value)
}

/** The address as a range of one. */
const hostRange = (ip: string): string => `${ip}/${ip.includes(':') ? 128 : 32}`

type GoTo = ReturnType<typeof useGoTo>

/** Goes to the row of an address, or to where it would be. The URL keeps the address. */
export function useGoTo({ datacenter, network, table, filters, prefix }: Options) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const parameter = `${prefix}at`
  const at = canonical(search.get(parameter) ?? '')
  const isByIp = table.by === 'ip'
  const [hasProblem, setProblem] = useState(false)
  const positionOf = (ip: string) =>
    ipPositionQuery(datacenter, { ...filters, ip, asc: isByIp && !table.asc ? false : undefined })
  const position = useQuery({ ...positionOf(at ?? ''), enabled: at !== undefined && isByIp })

  const searchOf = (row: number, ip: string | undefined): string => {
    const order = isByIp ? {} : { [`${prefix}by`]: undefined, [`${prefix}asc`]: undefined }
    return `?${searchWith(table.searchOfRow(row), { ...order, [parameter]: ip })}`
  }

  const place = isByIp && at !== undefined ? position.data : undefined
  const around = useQuery({
    ...natNetworksQuery(datacenter, { overlaps: at && hostRange(at) }),
    enabled: place?.exists === false,
  })
  const holders = around.data?.collection ?? []
  return {
    at,
    /** Earlier results are hidden while a newer problem is shown. */
    hasProblem,
    setProblem,
    /** True if a network of the list can hold the address. */
    canHold: network ? holders.some(({ id }) => id === network.id) : holders.length > 0,
    position: place,
    /** Where to redirect to, if the URL names an address but no position. */
    searchOfPlace:
      place && rowAbove(place) !== table.first && !['from', 'page'].some((name) => search.has(prefix + name))
        ? searchOf(rowAbove(place), at)
        : undefined,
    /** Throws the error of the API. */
    go: async (ip: string): Promise<void> => {
      const found = await client.fetchQuery(positionOf(ip))
      void navigate({ search: searchOf(rowAbove(found), ip) }, { preventScrollReset: true })
    },
    /** Shows the addresses of a range, by a filter. */
    goWithin: (within: string) => {
      const { ip: _, address: __, ...others } = table.filters
      table.setSearch('', { ...others, within })
    },
    leave: () => void navigate({ search: searchOf(table.first, undefined) }, { preventScrollReset: true }),
  }
}

/** Some rows before the address are shown too. */
const rowAbove = ({ position }: NatIpPosition): number => Math.max(0, position - 8)

/** The neighbours of an address that is not in the list, if they are on the current page. */
function neighboursOf(
  { position }: NatIpPosition,
  { first, size }: Pick<TableState, 'first' | 'size'>,
  rows: readonly NatIpDocument[],
): { before: string | undefined; after: string | undefined } {
  const index = position - pageStart(first, size)
  return { before: rows[index - 1]?.ip, after: rows[index]?.ip }
}

type GoToProps = {
  goTo: GoTo
  /** Opens the page of an address. */
  onHistory: (ip: string) => void
}

export function GoToAddress(props: GoToProps) {
  const say = useTranslations('nat.goTo')
  return (
    <Drop label={say('label')} icon={screenIcons.goTo}>
      {(close) => <AddressForm {...props} onDone={close} />}
    </Drop>
  )
}

function AddressForm({ goTo, onHistory, onDone }: GoToProps & { onDone: () => void }) {
  const say = useTranslations('nat.goTo')
  const sayLayout = useTranslations('layout.tokens')
  const format = useFormatter()
  const isPast = useIsPast()
  const [text, setText] = useState('')
  const meant = rangeMeant(text)
  const showRange = (range: string) => {
    goTo.goWithin(range)
    onDone()
  }
  const [problem, setProblem] = useState<'missing' | 'noAddress'>()
  const guard = useOneAtATime()
  const going = useMutation({
    mutationFn: goTo.go,
    onSuccess: onDone,
    onError: () => goTo.setProblem(true),
  })
  /** Calls with the address, or shows the fault. */
  const withAddress = (then: (ip: string) => void) => {
    const ip = canonical(text)
    goTo.setProblem(ip === undefined)
    if (ip === undefined) return setProblem(text.trim() === '' ? 'missing' : 'noAddress')
    then(ip)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const range = rangeWord(text)
    if (range !== undefined) return showRange(range)
    withAddress((ip) => guard(() => going.mutateAsync(ip)))
  }
  return (
    <form onSubmit={submit} className={styles.goTo} noValidate>
      <TextField
        label={say('label')}
        error={problem ? say(problem) : going.error && <FailureText error={going.error} />}
        value={text}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        onChange={(value) => {
          setText(value)
          setProblem(undefined)
          goTo.setProblem(false)
          going.reset()
        }}
      />
      {meant !== undefined && (
        <Button look="link" onPress={() => showRange(meant)}>
          {sayLayout('meant', { range: meant, size: sizeOfRange(meant, format.number) })}
        </Button>
      )}
      <Row gap="s">
        <Button look="main" busy={going.isPending} busyText={say('going')} type="submit">
          {say('go')}
        </Button>
        {!isPast && <Button onPress={() => withAddress(onHistory)}>{say('history')}</Button>}
      </Row>
    </form>
  )
}

type PlaceProps = {
  goTo: GoTo
  table: Pick<TableState, 'first' | 'size'>
  rows: readonly NatIpDocument[]
  /** Absent if the user cannot add IPs. */
  onAdd: ((ip: string) => void) | undefined
  onHistory: GoToProps['onHistory']
}

/** Reports whether the requested address is in the list, and in which row. */
export function PlaceOfAddress({ goTo, table, rows, onAdd, onHistory }: PlaceProps) {
  const say = useTranslations('nat.goTo')
  const isPast = useIsPast()
  const { at, position, leave } = goTo
  if (at === undefined || !position || goTo.hasProblem) return null
  if (goTo.searchOfPlace !== undefined) return <Navigate replace to={{ search: goTo.searchOfPlace }} />
  const row = position.position + 1
  const { before, after } = neighboursOf(position, table, rows)
  const isShown = position.exists
    ? rows.some(({ ip }) => ip === at)
    : before !== undefined || after !== undefined
  const place = () => {
    if (before && after) return say('between', { ip: at, row, before, after })
    if (before) return say('after', { ip: at, row, before })
    return after ? say('before', { ip: at, row, after }) : say('elsewhere', { ip: at, row })
  }
  return (
    <div className={styles.place} role="status">
      {position.exists ? (
        <Status kind="good">{say('there', { ip: at, row })}</Status>
      ) : (
        <Status kind="info">{place()}</Status>
      )}
      {!position.exists && goTo.canHold && onAdd && (
        <Button look="link" onPress={() => onAdd(at)}>
          {say('add', { ip: at })}
        </Button>
      )}
      {!position.exists && !isPast && (
        <Button look="link" onPress={() => onHistory(at)}>
          {say('history')}
        </Button>
      )}
      {!isShown && (
        <Button look="link" onPress={() => void goTo.go(at)}>
          {say('show')}
        </Button>
      )}
      <Button look="link" onPress={leave}>
        {say('leave')}
      </Button>
    </div>
  )
}
