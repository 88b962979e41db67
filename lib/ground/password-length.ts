/** Bounds for every installation. The setting PASSWORD_MIN_LENGTH may raise the lower one. */
export const PASSWORD_LENGTH = { least: 8, most: 1024 } as const
