import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    dataDirectory: string
  }
}

/** One directory above those of all workers, so that one removal deletes everything. */
export function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'test-data-'))
  project.provide('dataDirectory', directory)
  return () => rmSync(directory, { recursive: true, force: true })
}
