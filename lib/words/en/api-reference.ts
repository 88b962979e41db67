export const apiReference = {} as const
