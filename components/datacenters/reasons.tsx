import { type Privilege, privileges } from '#lib/auth/privileges'

/** Why an action is not open to the user. */
export const needs = (privilege: Privilege): string =>
  `You need the privilege “${privileges[privilege]}” for this.`

/** Any one of these shows devices. */
export const deviceReaders = [
  'PHYS_DC_RETRIEVE_DETAILS',
  'MANAGE_DEVICES',
] as const satisfies readonly Privilege[]
