import { log } from '#lib/ground/log.server'

/** Runs the work repeatedly, with pauses of this many milliseconds. Rounds never overlap, and failed ones are logged. */
export function inRounds(ms: number, failure: string, work: () => Promise<void>): NodeJS.Timeout {
  let isBusy = false
  const round = async () => {
    if (isBusy) return
    isBusy = true
    try {
      await work()
    } catch (err) {
      log().error({ err }, failure)
    } finally {
      isBusy = false
    }
  }
  return setInterval(() => void round(), ms).unref()
}
