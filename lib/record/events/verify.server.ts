import type { Database } from '#lib/db/db.server'
import { isAfter, isUpTo, type Position } from '#lib/record/events/commit-order.server'
import { type Digest, digestsOf, sha256 } from '#lib/record/events/digests.server'
import {
  digestAfter,
  endOf,
  lastSeal,
  progressOf,
  readEntries,
  type Seal,
  sealsAfter,
} from '#lib/record/events/seals.server'

/** The first difference from the written events. Its message is for the terminal. */
export class Tampered extends Error {}

/** A seal from a copy outside of the database. */
export type Anchor = Pick<Seal, 'number' | 'digest'>

type Sum = { seals: number; events: number; newest: number }

/** `removed`: retention has removed the events of these seals. `waiting`: events that are not sealed yet. */
export type Verified = { kept: Sum; removed: Sum; waiting: number }

/** The seals that are read at once. */
const STEP = 100

/** Compares all sealed events with their seals, also beside a running server. Throws Tampered. */
export async function verifyEvents(on: Database, anchor?: Anchor): Promise<Verified> {
  const nothing = { seals: 0, events: 0, newest: 0 }
  const verified = { kept: nothing, removed: nothing }
  const last = (await lastSeal(on))?.number ?? 0
  let previous: Seal | undefined
  while ((previous?.number ?? 0) < last) {
    const { seals, removed } = await verifyStep(on, previous)
    for (const seal of seals) {
      requireAnchor(seal, anchor)
      const state = seal.number > removed ? 'kept' : 'removed'
      verified[state] = sumOf(verified[state], seal)
      previous = seal
    }
  }
  if (anchor && anchor.number > last)
    throw new Tampered(`Seal ${anchor.number} is missing: the last seal is ${last}`)
  await requireNothingRemoved(on)
  return { ...verified, waiting: await countAfter(on, endOf(previous)) }
}

const sumOf = (sum: Sum, { events, newest }: Seal): Sum => ({
  seals: sum.seals + 1,
  events: sum.events + events,
  newest: Math.max(sum.newest, newest),
})

function requireAnchor({ number, digest }: Seal, anchor: Anchor | undefined): void {
  if (anchor?.number === number && anchor.digest !== digest)
    throw new Tampered(`Seal ${number} is not the one that was kept: its digest is now ${digest}`)
}

type VerifiedSeals = { seals: Seal[]; removed: number }

/** Verifies the next seals. Retention may remove their events meanwhile: then again. */
async function verifyStep(on: Database, previous: Seal | undefined): Promise<VerifiedSeals> {
  const removed = (await progressOf(on)).removed_seals
  try {
    return { seals: await verifyNext(on, previous, removed), removed }
  } catch (error) {
    const now = (await progressOf(on)).removed_seals
    if (!(error instanceof Tampered) || now === removed) throw error
    return verifyStep(on, previous)
  }
}

async function verifyNext(on: Database, previous: Seal | undefined, removed: number): Promise<Seal[]> {
  const seals = await sealsAfter(on, previous?.number ?? 0, STEP)
  if (seals.length === 0) throw new Tampered(`Seal ${(previous?.number ?? 0) + 1} is missing`)
  for (const [index, seal] of seals.entries()) {
    requireSeal(seal, seals[index - 1] ?? previous)
    const shouldBe = seal.number <= removed ? null : seal.content
    if (shouldBe !== (seal.entries === null ? null : sha256(seal.entries)))
      throw new Tampered(`The entries of seal ${seal.number} were changed`)
  }
  const kept = seals.filter(({ number }) => number > removed)
  const before = seals.find(({ number }) => number === removed) ?? previous
  const found = await digestsOf(on, { after: endOf(before), upTo: endOf(seals.at(-1)) })
  let next = 0
  for (const seal of kept) {
    const sealed = readEntries(seal.entries ?? '')
    const present = found.slice(next, next + sealed.length)
    requireSame(sealed, present, seal)
    next += sealed.length
  }
  const more = found[next]
  if (more) throw new Tampered(`Event ${more.event} was inserted: no seal has it`)
  return seals
}

function requireSeal(seal: Seal, previous: Seal | undefined): void {
  const number = (previous?.number ?? 0) + 1
  if (seal.number !== number) throw new Tampered(`Seal ${number} is missing`)
  if (seal.digest !== digestAfter(previous?.digest ?? '', seal))
    throw new Tampered(`Seal ${number} was changed, or stands in the place of another one`)
}

type Entry = Pick<Digest, 'event' | 'digest'>

/** Names the first event that differs from the seal. */
function requireSame(sealed: readonly Entry[], present: readonly Entry[], { number }: Seal): void {
  for (const [index, entry] of sealed.entries()) {
    const found = present[index]
    if (found?.event === entry.event && found.digest === entry.digest) continue
    if (found?.event === entry.event)
      throw new Tampered(
        `Event ${entry.event} in seal ${number} was changed: the event itself, or the past rows of its change`,
      )
    if (found && !sealed.some(({ event }) => event === found.event))
      throw new Tampered(`Event ${found.event} was inserted: no seal has it`)
    throw new Tampered(`Event ${entry.event} in seal ${number} is missing, and not by retention`)
  }
}

/** Events that retention has removed must not be present again. */
async function requireNothingRemoved(on: Database): Promise<void> {
  const { removed_seals } = await progressOf(on)
  if (removed_seals === 0) return
  const [seal] = await sealsAfter(on, removed_seals - 1, 1)
  if (seal?.number !== removed_seals) throw new Tampered(`Seal ${removed_seals} is missing`)
  const event = await on.scan
    .selectFrom('events')
    .where(isUpTo(on.engine, endOf(seal)))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (event) throw new Tampered(`Event ${event.id} was inserted: it is older than what retention has left`)
}

async function countAfter({ engine, scan }: Database, after: Position): Promise<number> {
  const { count } = await scan
    .selectFrom('events')
    .where(isAfter(engine, after))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
