import { useFormatter } from 'use-intl'

/** A number as the reader writes it. */
export const Count = ({ of }: { of: number }) => useFormatter().number(of)
