import type { Updateable } from 'kysely'
import { z } from 'zod'
import type { Facts } from '#lib/caller/kinds/kind'
import { fold } from '#lib/db/fold'
import type { Tables } from '#lib/db/tables.server'
import { bare, emptyOf, type Fields, type Values } from '#lib/ground/http/fields.schema'

/* The fields of a kind that are columns of its table: selected, read and written without naming each again. */

/** allowedHosts → allowed_hosts */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type ColumnOf<Name, Named> = Name extends keyof Named
  ? Named[Name] & string
  : Name extends string
    ? Snake<Name>
    : never

type Columns<Shape, Named> = ColumnOf<keyof Shape, Named>

/** The folded columns in which the search finds the kind, and the folded tags, from which their index is made. */
type Folded<F, Column extends string> =
  | Extract<`${Column}_key`, 'tags_key'>
  | (F extends { found: { key: infer Key; within?: readonly (infer Within)[] } }
      ? Extract<Key, `${Column}_key`> | Extract<Within, `${Column}_key`>
      : never)

type TableKind = Facts & { table: keyof Tables }

/** Fails to compile, and names them, where the table has no such columns. */
type Existing<Table extends keyof Tables, Column extends string> =
  Exclude<Column, keyof Tables[Table]> extends never
    ? unknown
    : { missing: Exclude<Column, keyof Tables[Table]> }

/** `names`: the columns that have other names than their fields. */
export function columns<
  const F extends TableKind,
  Shape extends Fields,
  const Named extends { readonly [Name in keyof Shape]?: string },
>({ table, found }: F, shape: Shape, names: Named & Existing<F['table'], Columns<Shape, Named>>) {
  type Column = Columns<Shape, Named>
  type Row = Required<Updateable<Tables[F['table']]>>
  const fields = Object.entries(shape).map(([name, schema]) => {
    const type = bare(schema)
    const kept = type instanceof z.ZodBoolean ? flag : type instanceof z.ZodArray ? json : same
    const column = (names as Record<string, string>)[name] ?? snake(name)
    return { name, column, first: emptyOf(schema), ...kept }
  })
  const searched = ['tags_key', found?.key, ...(found?.within ?? [])]
  const keyed = fields.filter(({ column }) => searched.includes(`${column}_key`))
  return {
    names: fields.map(({ column }) => column),
    select: fields.map(({ column }) => `${table}.${column}` as `${F['table']}.${Column}`),
    /** A past row is null where it is older than the column: then the default counts. */
    read: (row: Readonly<Record<Column, unknown>>) => {
      const values: Record<string, unknown> = {}
      for (const { name, column, first, read } of fields) {
        const value = row[column as Column] ?? null
        values[name] = value === null ? first : read(value)
      }
      return values as Values<Shape>
    },
    /** Missing fields get their defaults, or are empty. */
    written: (values: { readonly [Name in keyof Shape]?: Values<Shape>[Name] | undefined }) =>
      Object.fromEntries([
        ...fields.map(({ name, column, first, written }) => [column, written(values[name] ?? first)]),
        ...keyed.map(({ name, column, first }) => [`${column}_key`, foldedText(values[name] ?? first)]),
      ]) as Pick<Row, Column & keyof Row> & Record<Folded<F, Column>, string>,
  }
}

const foldedText = (value: unknown): string =>
  Array.isArray(value) ? JSON.stringify(value.map((each) => fold(String(each)))) : fold(String(value))

type Kept = { read: (value: unknown) => unknown; written: (value: unknown) => unknown }

const same: Kept = { read: (value) => value, written: (value) => value }
const flag: Kept = { read: (value) => value === 1, written: (value) => (value ? 1 : 0) }
const json: Kept = { read: (value) => JSON.parse(String(value)), written: (value) => JSON.stringify(value) }
