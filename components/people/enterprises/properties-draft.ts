import { isLength } from '#components/base/forms/form-faults'
import { enterprisePropertiesInput } from '#lib/people/identity/identity.schema'

/** A key and its value in the form. `row` identifies them while other rows are added and removed. */
export type Property = { row: number; key: string; value: string }

export const mostProperties = 256

export const rowsOf = (properties: Readonly<Record<string, string>>): Property[] =>
  Object.entries(properties).map(([key, value], row) => ({ row, key, value }))

export const nextRow = (rows: readonly Property[]): number => Math.max(-1, ...rows.map(({ row }) => row)) + 1

/** The properties to send, with trimmed keys. */
export const propertiesOf = (rows: readonly Property[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ key, value }) => [key.trim(), value]))

type Merged = Readonly<Record<string, string | undefined>>

/** The properties of a merge, without those that were removed. */
export const sentOf = (properties: Merged): Record<string, string> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )

/** The keys whose values differ, with the new value; undefined: removed. */
export const changesBetween = (before: Merged, after: Merged): Merged =>
  Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((key) => before[key] !== after[key])
      .map((key) => [key, after[key]]),
  )

/** True if both hold the same properties, in any order. */
export const isSame = (rows: readonly Property[], properties: Readonly<Record<string, string>>): boolean =>
  rows.length === Object.keys(properties).length &&
  rows.every(({ key, value }) => Object.hasOwn(properties, key.trim()) && properties[key.trim()] === value)

type KeyFault = 'keyEmpty' | 'keyTwice' | 'keyLength' | 'keyPattern'
type ValueFault = 'valueLength' | 'valuePattern'

/** Why a key is invalid; the shared schema decides. */
export function keyFault(property: Property, rows: readonly Property[]): KeyFault | undefined {
  const key = property.key.trim()
  if (key === '') return 'keyEmpty'
  if (rows.some((other) => other.row < property.row && other.key.trim() === key)) return 'keyTwice'
  const refusal = refusalOf({ [key]: '' })
  return refusal && (refusal === 'length' ? 'keyLength' : 'keyPattern')
}

export function valueFault({ value }: Property): ValueFault | undefined {
  const refusal = refusalOf({ key: value })
  return refusal && (refusal === 'length' ? 'valueLength' : 'valuePattern')
}

export const isSound = (rows: readonly Property[]): boolean =>
  rows.every((property) => !keyFault(property, rows) && !valueFault(property))

function refusalOf(properties: Record<string, string>): 'length' | 'pattern' | undefined {
  const [issue] = enterprisePropertiesInput.safeParse({ properties }).error?.issues ?? []
  return issue && (isLength(issue) ? 'length' : 'pattern')
}
