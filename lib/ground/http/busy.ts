import { ApiError, fault } from '#lib/ground/http/errors'

const BUSY = 'The server is overloaded. Try again in a moment.'

/** Refuses a request that would take too long now and will probably succeed a moment later. */
export const tooBusy = (): ApiError => new ApiError(fault('503-UNAVAILABLE', BUSY))
