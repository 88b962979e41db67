import { parseArgs } from 'node:util'
import { BackupError } from '#lib/db/backup.server'
import { SettingError } from '#lib/ground/env.server'

/**
 * Runs `cloud-console <name> FILE` and prints the result. On failure it prints one line and sets the exit code. Without a file it lists those
 * to choose from, `known`, if there are any.
 */
export async function onFile(
  name: string,
  work: (file: string) => Promise<string>,
  known: () => string[] = () => [],
): Promise<void> {
  // An option that a file were named after would only be noticed later.
  const [file, ...more] = parseArgs({ allowPositionals: true }).positionals
  try {
    const listed = file ? [] : known()
    if (listed.length > 0) process.stdout.write(`${listed.join('\n')}\n`)
    else if (!file || more.length > 0)
      throw new BackupError(
        `Name one file: cloud-console ${name} FILE, in a checkout npm run ${name} -- FILE`,
      )
    else process.stdout.write(`${await work(file)}\n`)
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof SettingError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
