/** Exit codes. Scripts rely on them: they are documented in docs/cli.md. */
export const exit = {
  done: 0,
  refused: 1,
  usage: 2,
  unauthorized: 3,
  missing: 4,
  conflict: 5,
  unavailable: 6,
  /** As a shell reports a program that SIGINT ended. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exit)[keyof typeof exit]

/** Ends the command. The message goes to standard error. */
export class Failure extends Error {
  readonly code: ExitCode

  constructor(code: ExitCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** The error of fetch if the connection ended in the middle of an answer. */
export const isCut = (error: unknown): boolean => error instanceof TypeError && error.message === 'terminated'

/** Undefined if the reader needs no more: `cloudctl list-scopes | head` closes the pipe early. */
export const unwritable = (error: NodeJS.ErrnoException): Failure | undefined =>
  error.code === 'EPIPE'
    ? undefined
    : new Failure(exit.refused, `The result cannot be written: ${error.message}`, error)

/** The parts of the process that a command uses. Tests replace them. */
export type Terminal = {
  env: Record<string, string | undefined>
  input: AsyncIterable<Uint8Array | string> & { isTTY?: boolean }
  write: (text: string | Uint8Array) => void
  /** Whether the result is shown on a terminal. */
  isTTY: boolean
  /** Messages that are not part of the result. */
  tell: (text: string) => void
  fetch: typeof fetch
  /** Shows the progress of a long command, in place of the previous message. Absent if messages do not go to a terminal. */
  progress?: (text: string) => void
  /** Asks on the terminal; a secret is not shown. */
  ask: (question: string, kind: 'shown' | 'secret') => Promise<string>
  signal?: AbortSignal
}

export async function readAll(input: Terminal['input']): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of input)
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}
