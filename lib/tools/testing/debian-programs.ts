import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const cache = join(import.meta.dirname, '../../../node_modules/.cache/debian')

export type Program = { file: string; env: NodeJS.ProcessEnv }

/**
 * A program of the machine, or of Debian's package, which is unpacked beside the npm packages: its installation would start services.
 * Undefined if there is neither; the test is then skipped, with this reason on standard error.
 */
export function debianProgram(name: string, debian: string): Program | undefined {
  const file = (process.env.PATH ?? '')
    .split(delimiter)
    .concat('/usr/sbin')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
  if (file) return { file, env: process.env }
  const root = join(cache, debian)
  if (!existsSync(root)) unpack(debian, root)
  const [unpacked] = globSync(`usr/{bin,sbin}/${name}`, { cwd: root })
  if (unpacked)
    return {
      file: join(root, unpacked),
      env: { ...process.env, LD_LIBRARY_PATH: globSync(join(root, 'usr/lib/*-linux-gnu')).join(':') },
    }
  console.error(`Skipped: ${name} is missing. On Debian: apt-get install ${debian}`)
  return undefined
}

const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/** The package with those that it needs and this machine lacks. */
function unpack(debian: string, root: string): void {
  if (!isDebian() || process.getuid?.() !== 0) return
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'work-'))
  try {
    const archives = ['-o', `Dir::Cache::archives=${work}`]
    const install = ['install', '--download-only', '--yes', '--no-install-recommends', debian]
    // The lists of a machine may be missing or old.
    const isThere = () => spawnSync('apt-get', [...archives, ...install]).status === 0
    if (!isThere() && (spawnSync('apt-get', ['update']).status !== 0 || !isThere())) return
    for (const archive of globSync('*.deb', { cwd: work }))
      spawnSync('dpkg-deb', ['--extract', join(work, archive), join(work, 'root')])
    renameSync(join(work, 'root'), root)
  } catch (error) {
    // Another test was faster.
    if (!existsSync(root)) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
