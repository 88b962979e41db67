import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Difference, Element } from '#lib/gateway/elements'
import { type Found, ListingReader, type Strange } from '#lib/gateway/listing'
import { families } from '#lib/gateway/networks'
import { changeOf, frameOf } from '#lib/gateway/table'

/* The gateway's own table, written and read by `nft`. The table is never deleted while it is in use. */

/** A program that exited with an error. The message is its output. */
export class ProgramFailure extends Error {}

const own = new Set<number>()

/** Ended processes are remembered for a while, because the monitor names them later. */
export const isOwnProcess = (pid: number): boolean => own.has(pid)

function remember(pid: number | undefined): void {
  if (pid === undefined) return
  own.delete(pid)
  own.add(pid)
  const [oldest] = own
  if (own.size > 1000 && oldest !== undefined) own.delete(oldest)
}

/**
 * An unlinked file as standard input. Through a pipe a program would read a cut text if this process is killed while it writes, and nft would
 * apply the first half.
 */
async function inputFile(content: string): Promise<FileHandle> {
  const path = join(tmpdir(), `gateway-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  const bytes = Buffer.from(content)
  // At a position of its own: the offset that the program inherits stays at the start.
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten
  return file
}

type Reading<Result> = (printed: AsyncIterable<string>) => Promise<Result>

/** Where the programs run: `enter` is put before each call, such as `ip netns exec NAME`. */
export type TableLocation = { enter: readonly string[]; table: string }

// `su` on Debian leaves the folders of system programs out. The token is for the API alone.
const environment = {
  ...process.env,
  PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`,
  LC_ALL: 'C',
  GATEWAY_TOKEN: undefined,
}

export function start(
  { enter }: Pick<TableLocation, 'enter'>,
  words: readonly string[],
  stdin: 'ignore' | number,
): ChildProcessByStdio<null, Readable, Readable> {
  const [program = '', ...rest] = [...enter, ...words]
  const child = spawn(program, rest, { stdio: [stdin as 'ignore', 'pipe', 'pipe'], env: environment })
  child.stdout.setEncoding('utf8')
  remember(child.pid)
  return child
}

async function runReading<Result>(
  place: Pick<TableLocation, 'enter'>,
  { words, input, signal }: { words: readonly string[]; input?: string; signal?: AbortSignal | undefined },
  read: Reading<Result>,
): Promise<Result> {
  const file = input === undefined ? undefined : await inputFile(input)
  try {
    const child = start(place, words, file?.fd ?? 'ignore')
    const end = () => void child.kill()
    signal?.addEventListener('abort', end, { once: true })
    child.once('close', () => signal?.removeEventListener('abort', end))
    const [printed, said, [code]] = await Promise.all([
      read(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    if (code !== 0) throw new ProgramFailure(said.trim() || `${words[0]} ended with ${code}`)
    return printed
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error(`${words[0]} is not installed`, { cause: error })
    throw error
  } finally {
    await file?.close()
  }
}

async function whole(printed: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const piece of printed) all += piece
  return all
}

/** The output of the program. Throws ProgramFailure, and the error of spawn if the program is missing. */
export const run = (
  place: Pick<TableLocation, 'enter'>,
  words: readonly string[],
  input?: string,
): Promise<string> => runReading(place, { words, ...(input !== undefined && { input }) }, whole)

const write = (place: TableLocation, transaction: string): Promise<string> =>
  run(place, ['nft', '-f', '-'], transaction)

/** Throws where this process may not touch the kernel's tables, or nft is missing. Nothing is written. */
export const requireTables = (place: TableLocation): Promise<unknown> => run(place, ['nft', 'list', 'tables'])

/**
 * Makes missing tables, maps and chains, repairs the rules of the chains, and deletes foreign objects. Elements stay, unless a chain or map
 * with the gateway's name has another type: then that table is replaced, and the result is true.
 */
export async function prepare(place: TableLocation, strange: readonly Strange[] = []): Promise<boolean> {
  let isRebuilt = false
  for (const family of families) {
    const mine = strange.filter((each) => each.family === family)
    try {
      await write(place, frameOf(family, place.table, mine))
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error
      const own = `${family} ${place.table}`
      await write(place, `add table ${own}\ndelete table ${own}\n${frameOf(family, place.table)}`)
      isRebuilt = true
    }
  }
  return isRebuilt
}

/** `begin` is called before each listing, and `turn`, which lets more urgent work go first, before each piece of it. */
type Patience = { signal?: AbortSignal; begin?: () => void; turn?: () => Promise<unknown> }

/** Elements that are in `known` already are not made a second time. Throws the signal's reason when it comes. */
export async function readBack(
  place: TableLocation,
  known: ReadonlyMap<string, Element>,
  { signal, begin, turn }: Patience = {},
): Promise<Found> {
  const reader = new ListingReader(known)
  for (const family of families) {
    const words = ['nft', '-j', 'list', 'table', family, place.table]
    try {
      begin?.()
      await runReading(place, { words, signal }, async (printed) => {
        for await (const piece of printed) {
          await turn?.()
          reader.push(piece)
        }
      })
      reader.end()
    } catch (error) {
      const isMissing = error instanceof ProgramFailure && /No such file or directory/.test(error.message)
      signal?.throwIfAborted()
      if (!isMissing) throw error
    }
  }
  return reader.found
}

/**
 * Applies the difference in one transaction: all of it, or nothing and ProgramFailure. Elements that another program has deleted are no failure:
 * a change does not wait for the reading that finds them, which takes 19 s for 100,000 rules.
 */
export async function apply(place: TableLocation, difference: Difference): Promise<void> {
  const { added, removed } = difference
  if (added.length + removed.length === 0) return
  try {
    await write(place, changeOf(difference, place.table))
  } catch (error) {
    if (!(error instanceof ProgramFailure) || removed.length === 0) throw error
    await write(place, changeOf(difference, place.table, true))
  }
}

/** The elements that nft refuses, by name, with its words. Nothing is written: `nft -c` only checks. */
export async function findRefused(
  place: TableLocation,
  { added, removed }: Difference,
): Promise<Map<string, { element: Element; reason: string }>> {
  const bad = new Map<string, { element: Element; reason: string }>()
  const search = async (some: readonly Element[]): Promise<void> => {
    const [element] = some
    if (!element) return
    try {
      await run(place, ['nft', '-c', '-f', '-'], changeOf({ added: some, removed }, place.table))
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error
      const reason = `nft refuses ${element.key}: ${error.message.split('\n', 1)[0]}`
      if (some.length === 1) bad.set(element.name, { element, reason })
      else {
        const middle = Math.ceil(some.length / 2)
        await search(some.slice(0, middle))
        await search(some.slice(middle))
      }
    }
  }
  await search(added)
  return bad
}
