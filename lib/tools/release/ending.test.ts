import { equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { orEnd, ReleaseError, requirePrograms } from '#lib/tools/release/ending'
import { run } from '#lib/tools/scripts/package/build'

/** Runs the step and returns the exit code and what it writes to the terminal. */
async function endOf(step: () => unknown): Promise<unknown[]> {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  await orEnd(step)
  return [...(exit.mock.lastCall ?? []), ...written.mock.calls.map(([text]) => text)]
}

const failing = (program: string, ...args: string[]) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })

describe('a command ends with one line and 1', () => {
  test.each<[string, () => unknown, string]>([
    [
      'for what its user can change',
      () => {
        throw new ReleaseError('Name a key.')
      },
      'Name a key.',
    ],
    [
      'where a file cannot be written',
      () => writeFileSync('/nowhere/x', ''),
      "ENOENT: no such file or directory, open '/nowhere/x'",
    ],
    ['where a program is missing', () => run('no-such-program', [], '/'), 'spawnSync no-such-program ENOENT'],
    ['where a program has failed', () => run('sh', ['-c', 'exit 3'], '/'), 'sh -c exit 3 has failed'],
    [
      'with the words of a program that has failed',
      () => failing('sh', '-c', 'echo no such ref >&2; exit 3'),
      'Command failed: sh -c echo no such ref >&2; exit 3 no such ref',
    ],
    [
      'where programs are not installed',
      () => requirePrograms(['git', 'no-such-program'], 'git some'),
      'Not installed: no-such-program. On Debian: apt-get install git some',
    ],
  ])('%s', async (_what, step, line) => {
    expect(await endOf(step)).toEqual([1, `${line}\n`])
  })

  test('where a check fails, with its place', async () => {
    const [code, line] = await endOf(() => equal('503', '200'))
    expect(code).toBe(1)
    expect(line).toMatch(
      /^lib\/tools\/release\/ending\.test\.ts:\d+:\d+: Expected values to be strictly equal: .*'503' !== '200'\n$/,
    )
  })
})

test('an error of the program itself keeps its trace', async () => {
  await expect(
    orEnd(() => {
      throw new TypeError('x')
    }),
  ).rejects.toThrow(TypeError)
  expect(await orEnd(() => 'the result')).toBe('the result')
})
