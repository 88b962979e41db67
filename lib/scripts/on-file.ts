import { BackupError } from '#lib/db/backup.server'
import { SettingError } from '#lib/env.server'

/** Runs `npm run <name> -- FILE`, and prints what it says; one line and an exit code where it cannot. */
export async function onFile(name: string, work: (file: string) => Promise<string>): Promise<void> {
  const [file, ...more] = process.argv.slice(2)
  try {
    if (!file || more.length > 0) throw new BackupError(`One file is needed: npm run ${name} -- FILE`)
    process.stdout.write(`${await work(file)}\n`)
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof SettingError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
