import { createHash, type Hash } from 'node:crypto'
import type { z } from 'zod'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import type { Caller } from '#lib/caller/auth/privileges'
import { ApiError, type Fault, fault } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { ordered } from '#lib/request/pipeline/idempotency.server'
import type { ReadDocument } from '#lib/request/pipeline/spec.server'
import { validate } from '#lib/request/pipeline/validate.server'
import { keyOf, nameOf } from '#lib/state/plans/items'
import { JsonItems, parsed } from '#lib/state/plans/json-items.server'
import {
  type ExportEntity,
  exportEntities,
  type PlanMode,
  type PlanRefusal,
  planModes,
  wantedItems,
} from '#lib/state/plans/plans.schema'
import { requireReadable } from '#lib/state/plans/present.server'

/* A document of the desired state, as the items in its lists. */

/** A checked item of the document. Missing members keep their values. */
export type Wanted = {
  line?: number
  item: Record<string, unknown>
  /** It should not be there. */
  absent?: true
  password?: string
  hash?: string
}

export type WantedLists = Partial<Record<ExportEntity, Wanted[]>>

export type Checked = { mode: PlanMode; lists: WantedLists; refusals: PlanRefusal[]; refused: number }

/** An item as it was sent: unchecked, or with the fault that its reader found. */
export type SentItem = { line: number; value: unknown; fault?: Fault }

/** Refusals that a plan shows. */
export const MOST_REFUSALS = 1000

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null is a missing member (docs/api/errors.md, "Codes of faulty documents"). */
const withoutNulls = (value: unknown): unknown =>
  isFields(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value

/** Members that have another name than in the API. */
const members: Record<string, string> = { scopeParent: 'parent', privilege: 'privileges' }

/** The member of the item that a fault is about. */
function memberOf(entity: ExportEntity, { field = '' }: Fault): string | undefined {
  const [name = ''] = field.split('.', 1)
  const member = members[name] ?? name
  return Object.hasOwn(wantedItems[entity].shape, member) ? member : undefined
}

type About = { line?: number | undefined; entity: ExportEntity; name?: string | undefined }

export const refusalOf = ({ line, entity, name }: About, each: Fault): PlanRefusal => {
  const field = memberOf(entity, each)
  return {
    ...(line !== undefined && { line }),
    entity,
    ...(name !== undefined && { name }),
    ...(field !== undefined && { field }),
    code: each.code,
    message: each.message,
  }
}

/** Adds refusals, of which the first are kept and all are counted. */
export function refuse(checked: Pick<Checked, 'refusals' | 'refused'>, refusals: readonly PlanRefusal[]) {
  checked.refused += refusals.length
  checked.refusals.push(...refusals.slice(0, MOST_REFUSALS - checked.refusals.length))
}

/** Items of a document. */
export const bounds = { items: 100_000 }

/** Checks each item by itself as it arrives. Faulty and repeated items become refusals, so only sound ones stay in memory. */
export class Reading {
  readonly #caller: Caller
  readonly #lines = new Map<ExportEntity, Map<string, number>>()
  readonly #digests = new Map<ExportEntity, Hash>()
  readonly #checked: Checked = { mode: 'merge', lists: {}, refusals: [], refused: 0 }
  #items = 0

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Begins a list. Throws 403 if the caller may not read it. */
  begin(entity: ExportEntity): void {
    if (this.#checked.lists[entity]) return
    requireReadable({ caller: this.#caller }, entity)
    this.#checked.lists[entity] = []
    this.#lines.set(entity, new Map())
    this.#digests.set(entity, createHash('sha256'))
  }

  /** Throws 413. */
  add(entity: ExportEntity, { line, value, fault: wrong }: SentItem): void {
    this.begin(entity)
    this.#items += 1
    if (this.#items > bounds.items)
      throw new ApiError(fault('413-PAYLOAD-TOO-LARGE', `The document has more than ${bounds.items} things`))
    this.#digests.get(entity)?.update(`${JSON.stringify(ordered(value))}\n`)
    const schema: z.ZodType<Record<string, unknown>> = wantedItems[entity]
    const result = wrong ? { faults: [wrong] } : validate(schema, withoutNulls(value))
    const about = { line, entity, name: isFields(value) ? nameOf(entity, value) : undefined }
    const faults = 'value' in result ? this.#twice(entity, keyOf(entity, result.value), line) : result.faults
    if (faults.length > 0 || !('value' in result))
      refuse(
        this.#checked,
        faults.map((each) => refusalOf(about, each)),
      )
    else this.#checked.lists[entity]?.push({ line, ...wantedOf(result.value) })
  }

  #twice(entity: ExportEntity, key: string, line: number): Fault[] {
    const lines = this.#lines.get(entity)
    const first = lines?.get(key)
    if (first !== undefined) return [fault('CONSTR-PATTERN', `This is listed twice, first on line ${first}`)]
    lines?.set(key, line)
    return []
  }

  end(mode: PlanMode): ReadDocument {
    const digests = exportEntities.flatMap((entity) => {
      const digest = this.#digests.get(entity)
      return digest ? [[entity, digest.digest('base64url')]] : []
    })
    const document: Checked = { ...this.#checked, mode }
    return { document, content: [mode, digests] }
  }
}

const wrong = (message: string): ApiError => new ApiError(fault('GEN-3', message))

/** Reads a document as JSON. Throws 403, 413 and GEN-3. */
export async function readJson(
  pieces: AsyncIterable<string>,
  { caller }: { caller: Caller },
): Promise<ReadDocument> {
  const reading = new Reading(caller)
  const items = new JsonItems()
  for await (const piece of pieces)
    for (const { list, line, text } of items.push(piece)) {
      if (list !== 'links') reading.add(entityOf(list), { line, value: parsed(text) })
    }
  const frame = items.end()
  if (!isFields(frame)) throw wrong('The document must be an object')
  const { mode = 'merge', links: _links, ...lists } = frame
  const known = planModes.find((each) => each === (mode ?? 'merge'))
  if (!known) throw wrong(`mode must be ${planModes.join(' or ')}`)
  for (const [name, list] of Object.entries(lists)) {
    const entity = entityOf(name)
    if (!Array.isArray(list)) throw wrong(`${entity} must be a list of objects`)
    reading.begin(entity)
  }
  return reading.end(known)
}

function entityOf(name: string): ExportEntity {
  const entity = exportEntities.find((each) => each === name)
  if (!entity) throw wrong(`${name.slice(0, 64)} is not one of ${exportEntities.join(', ')}`)
  return entity
}

/** A password and an absence are in no operation of a plan. */
function wantedOf({ password, absent, ...item }: Record<string, unknown>): Wanted {
  if (absent === true) return { item, absent }
  return typeof password === 'string' ? { item, password } : { item }
}

/** Replaces the passwords of users by their hashes. Slow work, outside of transactions. */
export async function hashPasswords({ lists }: Checked, request: Exchange): Promise<void> {
  for (const user of lists.users ?? []) {
    if (user.password === undefined) continue
    requireClient(request)
    user.hash = await hashPassword(user.password)
    delete user.password
  }
}

/** A plan is not made if its client has disconnected. */
export function requireClient({ signal }: Exchange): void {
  if (signal.aborted) throw wrong('The client has disconnected')
}
