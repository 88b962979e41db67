import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const searched = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']

const onPath = (name: string): string | undefined =>
  searched
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))

const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The system's browser, else the one that Playwright installed. */
export async function findChromium(): Promise<string | undefined> {
  const installed = browsers.map(onPath).find((file) => file !== undefined)
  if (installed) return installed
  const { chromium } = await import('playwright')
  return [chromium.executablePath()].find((file) => existsSync(file))
}

/** Headless Chromium, which Debian packages separately: a sixth faster in browser tests. */
export const findHeadlessShell = (): string | undefined => onPath('chromium-headless-shell')

export const findFirefox = (): string | undefined => onPath('firefox-esr') ?? onPath('firefox')

type PostgresPrograms = { initdb: string; postgres: string }

/** The newest PostgreSQL server that is installed, be it on the path or where Debian keeps its versions apart. */
export function findPostgres(): PostgresPrograms | undefined {
  const onThePath = onPath('initdb')
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(onThePath ? [dirname(onThePath)] : [])]
  return folders
    .map((folder) => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }))
    .filter(({ initdb, postgres }) => existsSync(initdb) && existsSync(postgres))
    .toSorted((left, right) => versionOf(right.postgres) - versionOf(left.postgres))[0]
}

/** `postgres (PostgreSQL) 15.18 (Debian …)` → 15.18 */
const versionOf = (postgres: string): number =>
  Number(/\d+(\.\d+)?/.exec(execFileSync(postgres, ['--version'], { encoding: 'utf8' }))?.[0] ?? 0)

/** Whether the browser has the letters with which the pictures were drawn (e2e/fonts.conf). */
export const hasFonts = (): boolean =>
  process.platform !== 'linux' || existsSync('/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf')
