/*
 * How long the searches and sweeps of the tests are. `npm run test:all` sets TEST_SEARCH=long, which is ten times a whole search.
 * `npm test` makes a part of one, another part each time. TEST_SEED repeats a search that found something.
 */

/**
 * The tag of a browser test that `npm test` runs too: everyday tasks, once from end to end, and one screen of each kind. A long search runs
 * all.
 */
export const always = '@always'

/** True if everything is tested. */
export const isLong = process.env.TEST_SEARCH === 'long'
const LONGER = 10
const PART = 5
const onPostgres = process.env.TEST_ENGINE === 'postgres'
/** The findings of a search seldom depend on the engine. */
const share = onPostgres ? 4 * PART : PART

/** Changes from day to day. */
export const daily = (): number => Number(process.env.TEST_SEED ?? Math.floor(Date.now() / 86_400_000))

/** The runs of a property test: a fifth, a twentieth on PostgreSQL, ten times as many in a long search. */
export const search = (runs: number): { numRuns: number; seed?: number } => ({
  numRuns: isLong ? runs * LONGER : Math.ceil(runs / share),
  ...(process.env.TEST_SEED && { seed: Number(process.env.TEST_SEED) }),
})

/** The limit of time of a search, in milliseconds. */
export const searchTime = (milliseconds: number): number => (isLong ? milliseconds * LONGER : milliseconds)

/** The items that a sweep visits: all in a long search, else a fifth, or this share, that differs from day to day. */
export function swept<T>(all: readonly T[], part = PART): T[] {
  const day = daily()
  return isLong ? [...all] : all.filter((_, index) => (index + day) % part === 0)
}

/** How many rows or rounds: on PostgreSQL, which takes twice as long for each, so few, unless in a long search. */
export const fewer = (count: number, onPostgresThese: number): number =>
  onPostgres && !isLong ? onPostgresThese : count

/** True on one day in five: for tests that take many seconds and do not involve the server. Always true in a long search. */
export const isOneInFive = (turn: number): boolean => isLong || (turn + daily()) % PART === 0

/**
 * True on one day in five on PostgreSQL, on another day for each turn. Always true on SQLite and in a long search. For tests whose
 * statements other tests run on PostgreSQL every day.
 */
export const hasItsDay = (turn: number): boolean => !onPostgres || isOneInFive(turn)
