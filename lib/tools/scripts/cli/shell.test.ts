import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { completionScript } from '#lib/tools/scripts/cli/completion'
import { questions } from '#lib/tools/scripts/cli/questions'

const folder = mkdtempSync(join(tmpdir(), 'test-shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const terminal = () => Object.assign(new PassThrough(), { isTTY: true })
const shownBy = (notes: PassThrough): string => String(notes.read() ?? '')

test('without a terminal each question takes a line of standard input', async () => {
  const notes = new PassThrough()
  const ask = questions(Readable.from([Buffer.from('ada\npass'), Buffer.from('word ü\r\n123456')]), notes)
  expect(await ask('Nick: ', 'shown')).toBe('ada')
  expect(await ask('Password: ', 'secret')).toBe('password ü')
  expect(await ask('Verification code: ', 'shown')).toBe('123456')
  await expect(ask('Another: ', 'shown')).rejects.toMatchObject({
    code: 2,
    message:
      'There is no answer to “Another:”. Without a terminal, standard input has a line for each question.',
  })
  expect(shownBy(notes)).toBe('')
})

test('a question on a terminal whose input ends is refused, and a secret is not shown', async () => {
  const [input, notes] = [terminal(), new PassThrough()]
  const ask = questions(input, notes)
  const answer = ask('Password: ', 'secret')
  input.write('a secret\n')
  expect(await answer).toBe('a secret')
  expect(shownBy(notes)).toBe('Password: \n')
  const refused = ask('Nick: ', 'shown')
  input.end()
  await expect(refused).rejects.toMatchObject({ code: 2, message: 'There is no answer to “Nick:”.' })
})

test('Ctrl-C at a question ends with 130', async () => {
  const [input, notes] = [terminal(), new PassThrough()]
  const answer = questions(input, notes)('Password: ', 'secret')
  input.write('\x03')
  await expect(answer).rejects.toMatchObject({ code: 130, message: 'Interrupted.' })
})

/** A shell on a terminal of its own, in which a person presses Tab. The program is a stand-in with two words. */
const session = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; PATH=${folder}:\\$PATH; fpath=(${folder} \\$fpath); autoload -Uz compinit; compinit -u -d ${folder}/dump; echo re''ady"
zpty -r shell before '*ready*'
zpty -w -n shell $'cloudctl list-n\\t'
zpty -r shell after '*list-nat-ips*' && print -r -- found
zpty -d shell
`

/** A stand-in for the program: two words, and none where a file follows. */
const standIn = `#!/bin/sh
for last; do :; done
[ "$last" = --file ] || printf 'list-scopes\\nlist-nat-ips\\n'
`

test('the completion of zsh works at the first Tab, from a file of fpath', () => {
  writeFileSync(join(folder, 'cloudctl'), standIn, { mode: 0o755 })
  writeFileSync(join(folder, '_cloudctl'), completionScript('zsh'))
  const { stdout, stderr } = spawnSync('zsh', ['-f'], { input: session, encoding: 'utf8', timeout: 20_000 })
  expect([stdout, stderr]).toEqual(['found\n', ''])
})

const hasFish = spawnSync('fish', ['--version']).status === 0

test.runIf(hasFish)('the completion of fish offers the words of the program, or else files', () => {
  writeFileSync(join(folder, 'cloudctl'), standIn, { mode: 0o755 })
  writeFileSync(join(folder, 'wanted.json'), '')
  writeFileSync(join(folder, 'cloudctl.fish'), completionScript('fish'))
  const offered = (line: string): string[] => {
    const command = `source cloudctl.fish; complete --do-complete '${line}'`
    const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` }
    const { stdout } = spawnSync('fish', ['--no-config', '-c', command], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    return stdout.trim().split('\n').sort()
  }
  expect(offered('cloudctl ')).toEqual(['list-nat-ips', 'list-scopes'])
  expect(offered('cloudctl list-n')).toEqual(['list-nat-ips'])
  expect(offered('cloudctl --file wan')).toEqual(['wanted.json'])
})
