import type { Insertable } from 'kysely'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import type { NatRuleInput } from '#lib/cloud/nat/rules.schema'
import { fold } from '#lib/db/fold'
import type { Tables } from '#lib/db/tables.server'
import { endAfter, endsText } from '#lib/ground/http/ends.schema'

/*
 * The settings of a NAT rule: what may change while it stays the same rule. Its row, its document, exports, plans, undo and the past read and
 * write them from this table. The schema is `ruleSettings` in rules.schema.ts.
 */

export type RuleSettings = Pick<
  NatRuleInput,
  | 'originalPort'
  | 'originalPortEnd'
  | 'translatedPort'
  | 'sources'
  | 'enabled'
  | 'description'
  | 'tags'
  | 'ends'
>
type Name = keyof RuleSettings

/** A column, and how it keeps a setting. A setting without a value is not in documents. */
type Setting<Value> = {
  column: keyof Tables['nat_rules']
  of: (stored: unknown) => Value | undefined
  to: (value: Value | undefined) => number | string | null
}

const port = <Column extends keyof Tables['nat_rules']>(column: Column) => ({
  column,
  of: (stored: unknown) => (typeof stored === 'number' ? stored : undefined),
  to: (value: number | undefined) => value ?? null,
})

const settings = {
  originalPort: port('original_port'),
  originalPortEnd: port('original_port_end'),
  translatedPort: port('translated_port'),
  sources: {
    column: 'sources',
    of: (stored) => (typeof stored === 'string' ? stored.split(',') : undefined),
    to: (value) => value?.join(',') || null,
  },
  enabled: {
    column: 'disabled_at',
    of: (stored) => (stored ?? null) === null,
    to: (value) => (value === false ? Date.now() : null),
  },
  ends: {
    column: 'ends_at',
    of: (stored) => (typeof stored === 'number' ? endsText(stored) : undefined),
    to: (value) => endAfter(value),
  },
  description: { column: 'description', of: (stored) => String(stored ?? ''), to: (value) => value ?? '' },
  tags: {
    column: 'tags',
    of: (stored) => JSON.parse(String(stored ?? '[]')),
    to: (value) => JSON.stringify(value ?? []),
  },
} as const satisfies { [Key in Name]: Setting<NonNullable<RuleSettings[Key]>> }

const table: [Name, Setting<unknown>][] = Object.entries(settings) as never

type Column = (typeof settings)[Name]['column']

export const settingColumns: readonly Column[] = Object.values(settings).map(({ column }) => column)

/** The settings in a row, present or past. A row of the past may lack columns that came later. */
export function settingsOf(
  row: { readonly [Key in Column]?: unknown },
): RuleSettings & Noted & { enabled: boolean } {
  const found: Record<string, unknown> = {}
  for (const [name, { column, of }] of table) {
    const value = of(row[column as Column])
    if (value !== undefined) found[name] = value
  }
  return found as RuleSettings & Noted & { enabled: boolean }
}

export const isSetting = (name: string): name is Name => Object.hasOwn(settings, name)

const settingNames = Object.keys(settings).filter(isSetting)

/** The items of plans have null where a setting shall lose its value. */
type Given = { [Key in Name]?: RuleSettings[Key] | null }

/** These settings, even those without a value. */
export const onlySettings = (given: Given, names: readonly string[]): RuleSettings =>
  Object.fromEntries(names.filter(isSetting).map((name) => [name, given[name] ?? undefined]))

/** The settings that are members of the object. */
export const settingsIn = (given: Given): RuleSettings => onlySettings(given, Object.keys(given))

type Columns = Pick<Insertable<Tables['nat_rules']>, Column | 'tags_key'>

/** The index of tags is made from the folded ones. */
const withKeys = <Some extends object>(columns: Some, { tags = [] }: RuleSettings): Some =>
  'tags' in columns ? { ...columns, tags_key: JSON.stringify(tags.map(fold)) } : columns

/** The columns of all settings. */
export const columnsOf = (given: RuleSettings): Columns =>
  withKeys(
    Object.fromEntries(table.map(([name, { column, to }]) => [column, to(given[name])])) as Columns,
    given,
  )

/** The columns of the settings that are members of the object, even without a value. */
export const columnsIn = (given: RuleSettings): Partial<Columns> =>
  withKeys(
    Object.fromEntries(
      table.filter(([name]) => name in given).map(([name, { column, to }]) => [column, to(given[name])]),
    ),
    given,
  )

/** An empty list is the same as none. */
const textOf = (value: unknown): string =>
  Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : String(value ?? '')

const isSame = (name: Name, one: RuleSettings, other: RuleSettings): boolean =>
  textOf(one[name]) === textOf(other[name])

/** The settings of the second that differ from those of the first. */
export const changedSettings = (before: RuleSettings, after: RuleSettings): RuleSettings =>
  onlySettings(
    after,
    settingNames.filter((name) => !isSame(name, before, after)),
  )

/** True if a rule that is sent leaves the settings of the stored one as they are. Those without a value stay. */
export const keepsSettings = (stored: RuleSettings, sent: RuleSettings): boolean =>
  settingNames.every((name) => sent[name] === undefined || isSame(name, stored, sent))
