export const scopes = {} as const
