/** A datacenter and its devices, in the order of names.ts. */
export type Place = { id: number; name: string; devices: number[] }

export type Users = { nicks: string[]; byEnterprise: Map<number, number[]> }

export type SampleNetwork = { id: number; datacenter: number; version: 4 | 6 }
