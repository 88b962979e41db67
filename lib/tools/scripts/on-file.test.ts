import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { onFile } from '#lib/tools/scripts/on-file'

const argv = process.argv
afterEach(() => {
  process.argv = argv
  process.exitCode = undefined
  vi.restoreAllMocks()
})

/** Runs a command on a file with these arguments. */
async function ran(args: string[], known: string[] = []) {
  vi.restoreAllMocks()
  process.exitCode = undefined
  process.argv = ['node', 'run.js', ...args]
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const work = vi.fn(async (file: string) => `${file} is done`)
  const failed = await onFile('backup', work, () => known).then(
    () => undefined,
    (error) => error.code,
  )
  const textOf = (spy: typeof out) => spy.mock.calls.map(([text]) => text).join('')
  return { out: textOf(out), notes: textOf(notes), code: process.exitCode, failed, calls: work.mock.calls }
}

describe('a command on a file', () => {
  test.each(['--help', '-h', '--force'])('takes no option for the name of a file: %s', async (option) => {
    const { failed, calls } = await ran([option])
    expect([failed, calls]).toEqual(['ERR_PARSE_ARGS_UNKNOWN_OPTION', []])
  })

  test('takes one file, or lists those to choose from', async () => {
    expect(await ran(['a.db'])).toMatchObject({ out: 'a.db is done\n', code: undefined })
    expect(await ran([], ['Made before upgrades:', 'schema-57.db'])).toMatchObject({
      out: 'Made before upgrades:\nschema-57.db\n',
      code: undefined,
    })
    for (const args of [[], ['a.db', 'b.db']])
      expect(await ran(args)).toMatchObject({
        out: '',
        code: 1,
        notes: expect.stringMatching(/^Name one file: cloud-console backup FILE/),
      })
  })
})

test.each([['start'], ['demo']])('%s takes its settings from the environment alone', (script) => {
  const run = join(import.meta.dirname, 'run.js')
  const { status, stderr } = spawnSync(process.execPath, [run, script, '--port', '4000'], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([status, stderr]).toEqual([2, `${script} takes no arguments: settings come from the environment.\n`])
})
