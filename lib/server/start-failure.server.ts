/** What stops the start; its message is one line that says what to do about it. */
export class StartFailure extends Error {}

/** Runs what belongs to the start; where that fails for such a reason, the process ends with the line. */
export async function orEnd<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
