import { ApiError, fault } from '#lib/http/errors'

export const BUSY = 'There is more to do than can be done. Try again in a moment.'

/** What is refused because it would take too long, and most likely not a moment later. */
export const tooBusy = (): ApiError => new ApiError(fault('503-UNAVAILABLE', BUSY))
