/** The id for `_` in a path: any resource visible to the caller. No real id is 0. */
export const ANY_ID = 0
