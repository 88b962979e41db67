import type { z } from 'zod'
import { hashPassword } from '#lib/auth/passwords.server'
import type { Caller } from '#lib/auth/privileges'
import { eachOf } from '#lib/db/slices.server'
import { ApiError, type Fault, fault } from '#lib/http/errors'
import { validate } from '#lib/pipeline/validate.server'
import { keyOf, nameOf } from '#lib/plans/items'
import { readJsonItems } from '#lib/plans/json-items.server'
import {
  type ExportEntity,
  exportEntities,
  type PlanMode,
  type PlanRefusal,
  planModes,
  wantedItems,
} from '#lib/plans/plans.schema'
import { requireReadable } from '#lib/plans/present.server'

/* A document of what should be, as the things that it lists. */

/** A thing as it was sent: not checked yet, or with the fault that its reader found. */
export type SentItem = { line?: number; value: unknown; fault?: Fault }

export type SentDocument = { mode: PlanMode; lists: Partial<Record<ExportEntity, SentItem[]>> }

/** A thing of the document, checked. Members that are missing stay as they are. */
export type Wanted = { line?: number; item: Record<string, unknown>; hash?: string }

export type WantedLists = Partial<Record<ExportEntity, Wanted[]>>

export type Checked = { mode: PlanMode; lists: WantedLists; refusals: PlanRefusal[]; refused: number }

/** Refusals that a plan shows. */
export const MOST_REFUSALS = 1000

const wrong = (message: string): ApiError => new ApiError(fault('GEN-3', message))

/** Throws GEN-3. */
export async function readJson(text: string): Promise<SentDocument> {
  const { frame, items } = await readJsonItems(text).catch((error: unknown) => {
    // The parser's error may quote a password from the document.
    throw error instanceof SyntaxError ? wrong('The document is not valid JSON') : error
  })
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    throw wrong('The document must be an object')
  const { mode = 'merge', links: _links, ...lists } = frame as Record<string, unknown>
  const known = planModes.find((each) => each === mode)
  if (!known) throw wrong(`mode must be ${planModes.join(' or ')}`)
  const sent: SentDocument = { mode: known, lists: {} }
  let next = 0
  for (const [name, list] of Object.entries(lists)) {
    const entity = exportEntities.find((each) => each === name)
    if (!entity) throw wrong(`${name.slice(0, 64)} is not one of ${exportEntities.join(', ')}`)
    if (!Array.isArray(list)) throw wrong(`${entity} must be a list`)
    const own = items.slice(next, next + list.length)
    // Each thing stands in the frame as its index, so a number instead of a thing breaks the order.
    if (list.some((index, place) => index !== next + place) || own.length < list.length)
      throw wrong(`${entity} must be a list of objects`)
    next += list.length
    sent.lists[entity] = own
  }
  if (next !== items.length) throw wrong('The document is not valid')
  return sent
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null is a missing member (docs/api.md, "Codes of faulty documents"). */
const withoutNulls = (value: unknown): unknown =>
  isFields(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value

/** The name in front of the message of a faulty member. */
export const fieldOf = ({ message }: Fault): string | undefined =>
  /^([A-Za-z]\w*)(?:\.\d+)?: /.exec(message)?.[1]

type About = { line?: number | undefined; entity: ExportEntity; name?: string | undefined }

export const refusalOf = ({ line, entity, name }: About, each: Fault): PlanRefusal => {
  const field = fieldOf(each)
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

/** Checks each thing by itself. Faulty things, and those that are listed twice, become refusals. Throws 403 for a list that the caller may not read. */
export async function checkDocument(caller: Caller, { mode, lists }: SentDocument): Promise<Checked> {
  const checked: Checked = { mode, lists: {}, refusals: [], refused: 0 }
  for (const entity of exportEntities) {
    const sent = lists[entity]
    if (!sent) continue
    requireReadable({ caller }, entity)
    checked.lists[entity] = await checkList(checked, entity, sent)
  }
  return checked
}

async function checkList(
  checked: Checked,
  entity: ExportEntity,
  sent: readonly SentItem[],
): Promise<Wanted[]> {
  const lines = new Map<string, number | undefined>()
  const wanted: Wanted[] = []
  const schema: z.ZodType<Record<string, unknown>> = wantedItems[entity]
  for await (const { line, value, fault: wrong } of eachOf(sent)) {
    const result = wrong ? { faults: [wrong] } : validate(schema, withoutNulls(value))
    const about = { line, entity, name: isFields(value) ? nameOf(entity, value) : undefined }
    if (!('value' in result)) {
      refuse(
        checked,
        result.faults.map((each) => refusalOf(about, each)),
      )
      continue
    }
    const item = result.value
    const key = keyOf(entity, item)
    if (lines.has(key)) {
      const first = lines.get(key)
      const where = first === undefined ? '' : `, first on line ${first}`
      refuse(checked, [refusalOf(about, fault('CONSTR-PATTERN', `This is listed twice${where}`))])
      continue
    }
    lines.set(key, line)
    wanted.push({ ...(line !== undefined && { line }), item })
  }
  return wanted
}

/** Replaces the passwords of users by their hashes, so that nothing keeps them. Slow work, before the transaction begins. */
export async function hashPasswords({ lists }: Checked): Promise<void> {
  for (const user of lists.users ?? []) {
    const { password, ...item } = user.item
    if (typeof password !== 'string') continue
    user.hash = await hashPassword(password)
    user.item = item
  }
}
