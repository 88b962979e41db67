export const nat = {} as const
