import type { TellFault } from '#lib/words/faults'

/** The API speaks English. */
export const tellFault: TellFault = ({ message }) => ({ text: message })
