/** An error that stops the start. Its message is one line that says what to do. */
export class StartFailure extends Error {}

/** Runs a step of the start. On a StartFailure it prints the message and ends the process. */
export async function orEnd<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
