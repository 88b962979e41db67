import { log } from '#lib/ground/log.server'

/** Does the work again and again after so many milliseconds. Rounds never overlap, and a failed one is reported in the log. */
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
