export const enterprises = {} as const
