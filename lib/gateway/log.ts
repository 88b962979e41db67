/* The log: JSON lines on stdout, in the form of the server's. */

const levels = { info: 30, warn: 40, error: 50 } as const
export type Level = keyof typeof levels

export type Log = (level: Level, line: string, fields?: Record<string, unknown>) => void

/** `bound`: fields of every line. */
export const logTo =
  (write: (text: string) => void, bound: Record<string, unknown>): Log =>
  (level, line, fields) => {
    const time = new Date().toISOString()
    write(`${JSON.stringify({ level: levels[level], time, ...bound, ...fields, msg: line })}\n`)
  }

export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // The message of fetch says only that it failed. Its cause has the reason.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
