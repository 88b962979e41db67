import type { Compilable, CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Db, database } from '#lib/db/db.server'
import { cachedUntilWrite } from '#lib/db/kept.server'

/** Stands in a query for a value that is another one each time. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const slots: object = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

const kept = new LRUCache<string, CompiledQuery>({ max: 1000 })

/**
 * Runs a query that is built once for each key: to build and compile one takes longer than SQLite needs to answer it. The key tells
 * apart whatever `build` depends on but the values that it is given.
 */
export async function runCompiled<Row, Values extends object>(
  db: Db,
  key: string,
  values: Values,
  build: (values: Values) => Compilable<Row>,
): Promise<Row[]> {
  const name = `${database().engine} ${key}`
  const query = kept.get(name) ?? build(slots as Values).compile()
  kept.set(name, query)
  const parameters = query.parameters.map((value) =>
    value instanceof Slot ? values[value.name as keyof Values] : value,
  )
  const { rows } = await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)
  return rows
}

/** About as much as a row takes. */
const ROW_BYTES = 1024

/** The same, found once until something is written; within a transaction each time. Its rows are shared: nobody changes them. */
export const runKept = <Row, Values extends object>(
  db: Db,
  key: string,
  values: Values,
  build: (values: Values) => Compilable<Row>,
): Promise<readonly Row[]> =>
  db.isTransaction
    ? runCompiled(db, key, values, build)
    : cachedUntilWrite(
        `rows ${key} ${JSON.stringify(values)}`,
        (rows) => rows.length * ROW_BYTES,
        () => runCompiled(db, key, values, build),
      )

/** So many ids have a query of their own; fewer are filled up to that: a query for each number of ids would be hundreds. */
const SIZES = [1, 25, 100, 500]

/** The same for a query that looks up rows by their ids. */
export function runForIds<Row>(
  db: Db,
  key: string,
  ids: readonly { id: number }[],
  build: (ids: number[]) => Compilable<Row>,
): Promise<Row[]> {
  const size = SIZES.find((size) => size >= ids.length) ?? ids.length
  const values = Array.from({ length: size }, (_, index) => ids[index]?.id ?? NOBODY)
  return runCompiled(db, `${key} ${size}`, values, (given) =>
    build(values.map((_, index) => given[index] ?? NOBODY)),
  )
}

/** No row has this id. */
const NOBODY = 0
