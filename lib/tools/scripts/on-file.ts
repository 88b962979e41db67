import { BackupError } from '#lib/db/backup.server'
import { SettingError } from '#lib/ground/env.server'

/** Runs `npm run <name> -- FILE` and prints the result. On failure it prints one line and sets the exit code. `known`: files to choose from. */
export async function onFile(
  name: string,
  work: (file: string) => Promise<string>,
  known: () => string[] = () => [],
): Promise<void> {
  const [file, ...more] = process.argv.slice(2)
  try {
    if (!file || more.length > 0)
      throw new BackupError([`Name one file: npm run ${name} -- FILE`, ...known()].join('\n'))
    process.stdout.write(`${await work(file)}\n`)
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof SettingError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
