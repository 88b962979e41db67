import type { TestProject } from 'vitest/node'
import { startPostgres } from '#lib/tools/testing/postgres'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgres()
  project.provide('postgresUrl', cluster.socketUrl)
  return cluster.stop
}
