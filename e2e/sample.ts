import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'

/*
 * To make the sample cloud takes ten seconds of a processor. The server that all tests share makes it when it starts; before a
 * test changes it, a copy is put aside for the servers that need the sample cloud unchanged.
 */

const database = 'console.db'

const directoryOf = (name: 'E2E_DATA_DIR' | 'E2E_SAMPLE_DIR'): string => {
  const directory = process.env[name]
  if (directory === undefined) throw new Error(`playwright.config.ts has not set ${name}`)
  return directory
}

/** Playwright calls this function when the shared server answers and no test has begun. */
export default async function putAside(): Promise<void> {
  const shared = new DatabaseSync(join(directoryOf('E2E_DATA_DIR'), database), { readOnly: true })
  await backup(shared, join(directoryOf('E2E_SAMPLE_DIR'), database))
  shared.close()
}

/** A new directory with the sample cloud as it was made. */
export function sampleDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'test-untouched-'))
  copyFileSync(join(directoryOf('E2E_SAMPLE_DIR'), database), join(directory, database))
  return directory
}
