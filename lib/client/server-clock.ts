/* The clock of this machine may be wrong. Times in questions to the API are the server's. */

let ahead = 0

/** Notes how far the server's clock is ahead (ms). Its `Date` is exact to a second. */
export function noteServerDate(date: string | null): void {
  const now = Date.parse(date ?? '')
  if (!Number.isNaN(now)) ahead = now - Date.now()
}

/** The server's clock at a moment of this machine's clock (epoch milliseconds). */
export const serverTime = (moment: number): number => moment + ahead
