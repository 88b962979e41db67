import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { attacksOn, type Expression, expressionsOfProgram } from '#lib/tools/testing/regular-expressions'

/*
 * No regular expression takes more than linear time (CWE-1333): each is attacked in a thread that can be ended. Its time is compared with
 * that of a known quadratic expression, and so is its processor time, so the result does not depend on the speed or load of the machine.
 */

const LENGTH = 4000
/** Four times the text: a linear expression takes four times as long, a quadratic one sixteen times. */
const LONGER = 4
const GROWTH = 8
/** A share of the time of the quadratic expression. */
const FLOOR = 1 / 40
/** Milliseconds for all attacks on one expression. Exponential ones do not end. */
const PATIENCE = 10_000

const quadratic: Expression = { pattern: '^\\s*(null)?\\s*$', flags: '' }

/** Runs in the worker: reports each expression with the attack that it does not withstand. */
const attacker = `
const { parentPort, workerData: { known, expressions, LENGTH, LONGER, GROWTH, FLOOR } } = require('node:worker_threads')
const textOf = ({ before, unit, after }, length) => before + unit.repeat(Math.ceil(length / unit.length)) + after
const run = ({ pattern, flags }, text) => {
  const regex = new RegExp(pattern, flags)
  if (regex.global) text.replace(regex, '')
  else regex.test(text)
}
const time = (expression, text) => {
  const began = performance.now()
  run(expression, text)
  return performance.now() - began
}
const least = (expression, text) => Math.min(...[1, 2, 3].map(() => time(expression, text)))
const work = (expression, text) => {
  const began = process.threadCpuUsage()
  run(expression, text)
  const { user, system } = process.threadCpuUsage(began)
  return user + system
}
const spaces = (length) => ' '.repeat(length) + 'x'
const floor = { time: FLOOR * least(known, spaces(LENGTH)), work: FLOOR * work(known, spaces(LENGTH * LONGER)) }
const isSlow = (expression, attack) => {
  const short = textOf(attack, LENGTH)
  if (time(expression, short) < floor.time || least(expression, short) < floor.time) return false
  const long = textOf(attack, LENGTH * LONGER)
  return work(expression, long) > floor.work && least(expression, long) > GROWTH * least(expression, short)
}
for (const { name, expression, attacks } of expressions) {
  parentPort.postMessage({ name })
  const attack = attacks.find((each) => isSlow(expression, each))
  if (attack) parentPort.postMessage({ name, attack })
}
`

type Tried = { name: string; expression: Expression; attacks: ReturnType<typeof attacksOn> }
type Message = { name: string; attack?: object }

type Trial = { length: number; patience: number }

/** The slow ones of these, each with its attack. */
async function slowOf(
  expressions: readonly Tried[],
  { length, patience }: Trial = { length: LENGTH, patience: PATIENCE },
): Promise<Map<string, string>> {
  const slow = new Map<string, string>()
  const worker = new Worker(attacker, {
    eval: true,
    workerData: { known: quadratic, expressions, LENGTH: length, LONGER, GROWTH, FLOOR },
  })
  const ended = once(worker, 'exit')
  let current = ''
  let timer: NodeJS.Timeout | undefined
  worker.on('message', ({ name, attack }: Message) => {
    current = name
    clearTimeout(timer)
    timer = setTimeout(() => void worker.terminate(), patience)
    if (attack) slow.set(name, JSON.stringify(attack))
  })
  const [code] = await ended
  clearTimeout(timer)
  if (code === 0) return slow
  slow.set(current, 'does not end')
  const rest = expressions.slice(expressions.findIndex(({ name }) => name === current) + 1)
  return rest.length === 0 ? slow : new Map([...slow, ...(await slowOf(rest, { length, patience }))])
}

const tried = (name: string, expression: Expression): Tried => ({
  name,
  expression,
  attacks: attacksOn(expression),
})

test('no regular expression of the program takes more than linear time', async () => {
  const program = [...expressionsOfProgram()].map(([name, { expression, places }]) =>
    tried(`${name} in ${places.join(', ')}`, expression),
  )
  expect(program.length).toBeGreaterThan(200)
  const slow = await slowOf(program)
  expect(Object.fromEntries(slow)).toEqual({})
}, 120_000)

test('the attacks find expressions that are known to be slow', async () => {
  const bad = [
    quadratic.pattern,
    '(a+)+$',
    '[^@]+@x',
    '/+$',
    '^(\\d+)(\\d*)-$',
    '^x(.*:)([\\d.]+\\.[\\d.]+)$',
    ':\\s*(".*"|\\S*)\\s*$',
  ]
  const expressions = bad.map((pattern) => tried(pattern, { pattern, flags: '' }))
  const slow = await slowOf(expressions, { length: 1500, patience: 1000 })
  expect([...slow.keys()].toSorted()).toEqual(bad.toSorted())
})
