/** A datacenter and its devices, in the order of names.ts. */
export type SampleDatacenter = { id: number; name: string; devices: number[] }

/** The users of each enterprise. */
export type Users = Map<number, number[]>

export type SampleNetwork = { id: number; datacenter: number; version: 4 | 6 }
