import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { exit, Failure, type Terminal } from '#lib/tools/scripts/cli/outcome'

/* The file that keeps the token of `login`. */

const saved = z.object({ api: z.string(), token: z.string() })
export type SignIn = z.infer<typeof saved>

const fileOf = ({ env }: Terminal): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'cloudctl/token.json')

/** The data that `login` has saved. */
export async function savedSignIn(terminal: Terminal): Promise<SignIn | undefined> {
  const file = fileOf(terminal)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return saved.parse(JSON.parse(text))
  } catch (error) {
    throw new Failure(exit.usage, `${file} is damaged. Run: cloudctl login`, error)
  }
}

/** The token is never in a file that others can read: the new file has its mode before its content. */
export async function save(terminal: Terminal, signIn: SignIn): Promise<string> {
  const file = fileOf(terminal)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, '', { mode: 0o600 })
  await chmod(draft, 0o600)
  await writeFile(draft, `${JSON.stringify(signIn)}\n`)
  await rename(draft, file)
  return file
}

export async function forget(terminal: Terminal): Promise<void> {
  await rm(fileOf(terminal), { force: true })
  terminal.tell('The saved token is removed from this machine.\n')
}
