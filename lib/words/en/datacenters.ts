export const datacenters = {} as const
