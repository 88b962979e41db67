import type { Caller } from '#lib/caller/auth/privileges'
import { type Db, database } from '#lib/db/db.server'
import { isUnreachable } from '#lib/db/dialect.server'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { baseOf } from '#lib/ground/http/origin.server'
import { streamOf } from '#lib/ground/http/pieces.server'
import { renderDocument } from '#lib/ground/http/render.server'
import { log } from '#lib/ground/log.server'
import { inRounds } from '#lib/ground/rounds.server'
import type { Position } from '#lib/record/events/commit-order.server'
import type { EventFilters, EventStreamQuery, EventView } from '#lib/record/events/events.schema'
import { readEvents } from '#lib/record/events/events.server'
import {
  cursorOf,
  endOfFeed,
  eventsAfter,
  isBehind,
  readCursor,
  requireKept,
} from '#lib/record/events/feed.server'
import type { Context } from '#lib/record/events/operation.server'
import { freePlace, keepPlaces, takePlace } from '#lib/record/events/stream-places.server'

/*
 * Streams of events (docs/api/events.md, "The stream of events"). One reader in each process looks for the end of the feed while there are
 * clients. Each stream has its own position and reads on from there, a few events at a time, when its client takes them, so a slow client
 * costs no memory.
 */

/** Milliseconds. */
const LOOK = 250
const KEEP_ALIVE = 15_000
/** The events that a stream reads at a time. */
const BATCH = 100

type Stream = { wake: () => void; slot: string }

const streams = new Set<Stream>()
let end: Position | undefined
let timers: NodeJS.Timeout[] = []
let isEnding = false

function wakeAll(): void {
  for (const { wake } of streams) wake()
}

async function look(): Promise<void> {
  const found = await endOfFeed(database().read).catch((error) => {
    if (!isUnreachable(error)) throw error
  })
  if (!found) return
  if (end && !isBehind(end, found)) return
  end = found
  wakeAll()
}

function join(stream: Stream): void {
  streams.add(stream)
  if (timers.length > 0) return
  timers = [
    inRounds(LOOK, 'the end of the feed could not be read', look),
    inRounds(KEEP_ALIVE, 'the places of streams could not be kept', () =>
      keepPlaces([...streams].map(({ slot }) => slot)),
    ),
  ]
}

async function leave(stream: Stream): Promise<void> {
  if (!streams.delete(stream)) return
  if (streams.size === 0) {
    for (const timer of timers) clearInterval(timer)
    timers = []
    end = undefined
  }
  await freePlace(stream.slot).catch((err) => log().warn({ err }, 'the place of a stream could not be freed'))
}

/** Ends the streams of this process, which open no more. */
export function endStreams(): void {
  isEnding = true
  wakeAll()
}

/** Where the stream begins. Throws GEN-22, EVENT-2. */
async function beginning(db: Db, request: Exchange, after: string | undefined): Promise<Position> {
  const cursor = request.headers.get('last-event-id') || after
  if (cursor === undefined) return endOfFeed(db)
  const place = readCursor(cursor, cursor === after ? 'after' : undefined)
  await requireKept(db, place)
  return place
}

type Following = Pick<Context, 'request' | 'signedIn' | 'db' | 'presentCaller'> & { query: EventStreamQuery }

/** Throws GEN-22, EVENT-2, and 429 if the user has too many streams. */
export async function streamEvents({ request, signedIn, db, presentCaller, query }: Following) {
  const { after, ...filters } = query
  const place = await beginning(db, request, after)
  return async (): Promise<ReadableStream<Uint8Array>> => {
    const slot = await takePlace('events', signedIn)
    return bodyOf({ slot, place, filters, base: baseOf(request), presentCaller })
  }
}

type Reading = {
  slot: string
  place: Position
  filters: EventFilters
  base: string
  presentCaller: () => Promise<Caller | undefined>
}

/** Reads on only when the client has taken the previous events. */
function bodyOf({ slot, ...reading }: Reading): ReadableStream<Uint8Array> {
  const left = new AbortController()
  const stream = { slot, wake: () => {} }
  const pieces = piecesOf(reading, stream, left.signal)
  join(stream)
  return streamOf(pieces, {
    onCancel: () => {
      left.abort()
      stream.wake()
    },
    end: () => leave(stream),
  })
}

/** The text of the stream: events, and a comment after a pause without events. It ends when the caller may no longer see events. */
async function* piecesOf(
  { place, ...reading }: Omit<Reading, 'slot'>,
  stream: Stream,
  left: AbortSignal,
): AsyncGenerator<string> {
  let at = place
  let due = Date.now() + KEEP_ALIVE
  yield commentAt(at)
  while (!isEnding && !left.aborted) {
    const step = await stepFrom(at, reading)
    if (step === 'ended') return
    at = step.place
    if (step.text !== '' || Date.now() >= due) {
      yield step.text || commentAt(at)
      due = Date.now() + KEEP_ALIVE
    }
    if (!step.isMore) await untilNews(stream, { at, left, ms: due - Date.now() })
  }
}

/** A line that clients ignore. It contains the cursor, so that a client without events for a long time can resume from there. */
const commentAt = (place: Position): string => `: keep-alive\nid: ${cursorOf(place)}\n\n`

const messageOf = (event: EventView, place: Position, base: string): string =>
  `id: ${cursorOf(place)}\nevent: ${event.entityType}.${event.action}\ndata: ${renderDocument(event, {
    name: 'event',
    syntax: 'json',
    base,
  })}\n\n`

type StreamPart = { place: Position; text: string; isMore: boolean }

/** The next events that the caller may see now. While the database cannot be reached, the stream keeps its position. */
async function stepFrom(
  place: Position,
  reading: Omit<Reading, 'slot' | 'place'>,
): Promise<StreamPart | 'ended'> {
  try {
    return await read(place, reading)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    end = undefined
    return { place, text: '', isMore: false }
  }
}

async function read(
  place: Position,
  { filters, base, presentCaller }: Omit<Reading, 'slot' | 'place'>,
): Promise<StreamPart | 'ended'> {
  const known = end
  const db = database().read
  const caller = await presentCaller()
  if (!caller) return 'ended'
  const next = await eventsAfter(db, place, BATCH)
  const places = new Map(next.map(({ id, position }) => [id, position]))
  const events = await readEvents({ caller, db }, [...places.keys()], filters)
  const text = events.map((event) => messageOf(event, places.get(event.id) ?? place, base)).join('')
  const last = next.at(-1)?.position ?? place
  const isMore = next.length === BATCH
  // Retention may have removed the last known event.
  return { place: !isMore && known && isBehind(last, known) ? known : last, text, isMore }
}

/** Waits for events after this place, or for this many milliseconds. */
const untilNews = (
  stream: Stream,
  { at, left, ms }: { at: Position; left: AbortSignal; ms: number },
): Promise<void> =>
  new Promise((resolve) => {
    if (isEnding || left.aborted || (end && isBehind(at, end))) return resolve()
    const timer = setTimeout(resolve, Math.max(ms, 0))
    stream.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
