import { useQuery } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { momentText } from '#components/base/screens/moments'
import { paths } from '#components/base/screens/paths'
import { screenOf } from '#components/base/screens/screens'
import { mayOpen, useSession } from '#components/base/session/session'
import { screenIcons } from '#components/kit/screen-icons'
import { useSettled } from '#lib/client/use-settled'
import { linkOf } from '#lib/ground/http/view'
import { rangeMeant, rangeWord, sizeOfRange } from '#lib/ground/net/addresses'
import { searchQuery } from '#lib/state/search/search.queries'
import type { SearchHit } from '#lib/state/search/search.schema'
import { questionIn } from './address-question'
import { thingIcon } from './icons'
import { type Item, matching } from './items'
import { useThingActions } from './thing-actions'
import { useCommands } from './use-commands'
import { keyOf, type RecentThing, useRecent } from './use-recent'

/** The items for the typed text; recent items first while the text is empty. `opened`: only the actions of this item. */
export function useItems(typed: string, opened: RecentThing | undefined) {
  const commands = matching(useCommands(), typed)
  const actionsOf = useThingActions()
  const { things, ...search } = useFound(opened ? '' : typed)
  const recent = useRecent()
  const { isPast } = useSession()
  const remembered = typed.trim() === '' && !isPast ? recent.things : []
  const address = useAddress(typed)
  const all: Item[] = [
    ...(address?.isQuestion ? [address.item] : []),
    ...remembered.map((thing) => itemOf(thing, 'recent')),
    ...commands,
    ...useRanges(typed),
    ...things.map((thing) => itemOf(thing, thing.type)),
    // Behind the NAT IP, which the search may still find.
    ...(address && !address.isQuestion && !search.isSearching ? [address.item] : []),
  ]
  const note = ({ thing }: Item) => {
    if (thing) recent.remember(thing)
  }
  const items = opened ? matching(actionsOf(opened), typed) : all
  return { items, note, forget: remembered.length > 0 && !opened ? recent.forget : undefined, ...search }
}

/** The page of the address that is typed, at the moment of the question who held it. */
function useAddress(typed: string): { item: Item; isQuestion: boolean } | undefined {
  const session = useSession()
  const say = useTranslations('palette.address')
  const format = useFormatter()
  const isDayFirst = useLocale() !== 'en-US'
  const asked = questionIn(typed, { isDayFirst, now: Date.now() })
  if (!asked) return undefined
  const { ip, at } = asked
  const to = paths.address(ip, at)
  if (!mayOpen(session, to)) return undefined
  const text = at === undefined ? say('page', { ip }) : say('held', { ip, moment: momentText(format, at) })
  const item: Item = { id: `address ${ip}`, group: 'range', text, icon: screenIcons.ips, to }
  return { item, isQuestion: at !== undefined }
}

/** The lists of the addresses in the range that is typed or meant. */
function useRanges(typed: string): Item[] {
  const session = useSession()
  const say = useTranslations('palette')
  const format = useFormatter()
  const range = rangeWord(typed) ?? rangeMeant(typed)
  if (range === undefined) return []
  const lists = [
    { to: paths.natIps(), kind: 'natIps' as const, icon: screenIcons.ips },
    { to: paths.natRules(), kind: 'natRules' as const, icon: screenIcons.rules },
  ]
  return lists
    .filter(({ to }) => mayOpen(session, to))
    .map(({ to, kind, icon }) => ({
      id: `range ${to}`,
      group: 'range',
      text: say(`ranges.${kind}`, { range }),
      detail: sizeOfRange(range, format.number),
      icon,
      to: `${to}?${new URLSearchParams({ within: range })}`,
    }))
}

const itemOf = (thing: RecentThing, group: Item['group']): Item => ({
  id: `${group} ${keyOf(thing)}`,
  group,
  text: thing.name,
  detail: thing.detail,
  icon: thingIcon(thing.type),
  to: thing.to,
  thing,
})

const pauseInTyping = 180

/** The objects that the server finds after a pause in typing, if the user may open their screens. */
function useFound(typed: string) {
  const session = useSession()
  const wanted = typed.trim()
  const text = useSettled(wanted, wanted === '' ? 0 : pauseInTyping)
  // There is no search in the past.
  const { data, isFetching, isPlaceholderData, error, refetch } = useQuery(
    searchQuery(session.isPast ? '' : text),
  )
  const isOld = text !== wanted || isPlaceholderData
  const things = (text === '' || wanted === '' ? [] : (data?.collection ?? [])).flatMap((hit) => {
    const to = screenOfHit(hit)
    return to !== undefined && mayOpen(session, to) ? [thingOf(hit, to)] : []
  })
  return {
    // Previous results stay if they match the newly typed letters.
    things: isOld ? fitting(things, typed) : things,
    isSearching: wanted !== '' && !session.isPast && (isOld || isFetching),
    error: wanted === '' ? null : error,
    retry: () => void refetch(),
  }
}

const fitting = (things: readonly RecentThing[], typed: string): RecentThing[] =>
  matching(
    things.map((thing) => ({ ...thing, text: thing.name })),
    typed,
  )

const thingOf = ({ type, id, name, detail }: SearchHit, to: string): RecentThing => ({
  type,
  id,
  name,
  to,
  ...(detail !== undefined && { detail }),
})

function screenOfHit(hit: SearchHit): string | undefined {
  const self = linkOf(hit, 'self')
  return self && screenOf(self)
}
