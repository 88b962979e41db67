/** What the path word `_` is read as: any that the caller sees. No id is 0. */
export const ANY_ID = 0
