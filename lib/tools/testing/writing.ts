import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Settings } from '#lib/tools/testing/own-database'

type Writer = {
  process: ChildProcess
  acknowledged: number[]
  reaches: (count: number) => Promise<void>
}

/** A process that creates datacenters in this database until it is killed. */
export function startWriter({ DATA_DIR, DATABASE_URL = '' }: Settings): Writer {
  const child = spawn(process.execPath, ['lib/tools/testing/writer.ts'], {
    env: { ...process.env, DATA_DIR, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: number[] = []
  const lines = createInterface({ input: child.stdout })
  const progress = new EventTarget()
  lines.on('line', (line) => {
    acknowledged.push(Number(line))
    progress.dispatchEvent(new Event('line'))
  })
  child.on('close', () => progress.dispatchEvent(new Event('line')))
  const reaches = async (count: number) => {
    while (acknowledged.length < count) {
      if (child.exitCode !== null) throw new Error('the writer has ended by itself')
      await once(progress, 'line')
    }
  }
  return { process: child, acknowledged, reaches }
}

/** Ends the process as `kill -9` does, and waits until its whole output is read. */
export async function kill({ process: child }: Writer): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  if (child.signalCode !== 'SIGKILL') throw new Error('the writer has ended by itself')
}
