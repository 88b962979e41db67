import type { Manual } from '#lib/tools/scripts/cli/commands'
import { run } from '#lib/tools/scripts/cli/run'
import { router } from '#lib/tools/testing/client'

const toRouter: typeof fetch = async (input, init) => (await router()).fetch(new Request(input, init))

async function* typed(text: string): AsyncGenerator<string> {
  yield text
}

export type Given = {
  env?: Record<string, string>
  input?: string
  /** Whether standard input and output are a terminal. */
  isTTY?: boolean
  /** Collects the progress of a long command. */
  progress?: string[]
  /** The router of the tests where absent. */
  fetch?: typeof fetch
  answers?: string[]
  signal?: AbortSignal
}

/** Runs the command line and returns its output and its questions. */
export async function commandLine(
  manual: Manual,
  args: string[],
  { env = {}, input = '', isTTY = false, progress, fetch = toRouter, answers = [], signal }: Given,
) {
  let out = ''
  let notes = ''
  const questions: string[] = []
  const decoder = new TextDecoder()
  const code = await run(manual, args, {
    env,
    input: Object.assign(typed(input), { isTTY }),
    write: (text) => {
      out += typeof text === 'string' ? text : decoder.decode(text, { stream: true })
    },
    isTTY,
    tell: (text) => {
      notes += text
    },
    ...(progress && { progress: (text) => void progress.push(text) }),
    fetch,
    ...(signal && { signal }),
    ask: async (question) => {
      questions.push(question)
      return answers.shift() ?? ''
    },
  })
  return { code, out, notes, questions }
}
