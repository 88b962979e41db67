import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { exit, Failure, type Terminal } from '#lib/tools/scripts/cli/outcome'

/* The file that keeps the token of `login`. */

const saved = z.object({ api: z.string(), token: z.string() })
export type SignIn = z.infer<typeof saved>

const fileOf = ({ env }: Terminal): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'cloudctl/token.json')

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** The data that `login` has saved. */
export async function savedSignIn(terminal: Terminal): Promise<SignIn | undefined> {
  const file = fileOf(terminal)
  const text = await readFile(file, 'utf8').catch((error) => {
    if (isAbsent(error)) return undefined
    throw new Failure(exit.usage, `${file} cannot be read: ${reasonOf(error)}`, error)
  })
  if (text === undefined) return undefined
  try {
    return saved.parse(JSON.parse(text))
  } catch (error) {
    throw new Failure(exit.usage, `${file} is damaged. Run: cloudctl login`, error)
  }
}

async function orUnwritable<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new Failure(exit.usage, `${file} cannot be written: ${reasonOf(error)}`, error)
  }
}

/** Throws if the token could not be saved: a token that nobody has would stay valid on the server. */
export async function requireWritable(terminal: Terminal): Promise<void> {
  const file = fileOf(terminal)
  const folder = dirname(file)
  await orUnwritable(file, mkdir(folder, { recursive: true, mode: 0o700 }))
  await orUnwritable(file, access(folder, constants.W_OK | constants.X_OK))
}

/** The token is never in a file that others can read: the new file has its mode before its content. */
async function write(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  try {
    await writeFile(draft, '', { mode: 0o600 })
    await chmod(draft, 0o600)
    await writeFile(draft, text)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export async function save(terminal: Terminal, signIn: SignIn): Promise<string> {
  const file = fileOf(terminal)
  await orUnwritable(file, write(file, `${JSON.stringify(signIn)}\n`))
  return file
}

export async function forget(terminal: Terminal): Promise<void> {
  const file = fileOf(terminal)
  await orUnwritable(file, rm(file, { force: true }))
  terminal.tell('The saved token is removed from this machine.\n')
}
