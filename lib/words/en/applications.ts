export const applications = {} as const
