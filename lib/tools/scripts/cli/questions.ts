import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import { exit, Failure, type Terminal } from '#lib/tools/scripts/cli/outcome'

type Input = Readable & { isTTY?: boolean }

/** Asks on the terminal. Without one, the lines of the input are the answers, in the order of the questions. */
export function questions(input: Input, notes: Writable): Terminal['ask'] {
  let lines: AsyncGenerator<string> | undefined
  const nextLine = async (): Promise<string | undefined> => {
    lines ??= linesOf(input)
    const { value, done } = await lines.next()
    return done ? undefined : value
  }
  return async (question, kind) => {
    const answer = input.isTTY ? await typed(question, kind, { input, notes }) : await nextLine()
    if (answer !== undefined) return answer
    const advice = input.isTTY ? '' : ' Without a terminal, standard input has a line for each question.'
    throw new Failure(exit.usage, `There is no answer to “${question.trim()}”.${advice}`)
  }
}

async function* linesOf(input: Input): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of input.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

type Streams = { input: Input; notes: Writable }

/** Undefined if the terminal is closed, as Ctrl-D does. Ctrl-C throws. */
async function typed(
  question: string,
  kind: 'shown' | 'secret',
  { input, notes }: Streams,
): Promise<string | undefined> {
  notes.write(question)
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const output = kind === 'secret' ? silent : notes
  const lines = createInterface({ input, output, terminal: true })
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  const interrupted = new Promise<never>((_, reject) =>
    lines.once('SIGINT', () => reject(new Failure(exit.interrupted, 'Interrupted.'))),
  )
  try {
    return await Promise.race([lines.question(''), closed, interrupted])
  } finally {
    lines.close()
    if (kind === 'secret') notes.write('\n')
  }
}
