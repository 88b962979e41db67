import type { ReactNode } from 'react'

/** An address, a network or a port, in figures that stand under each other. */
export const Address = ({ children }: { children: ReactNode }) => (
  <span style={{ fontVariantNumeric: 'tabular-nums slashed-zero', overflowWrap: 'anywhere' }}>
    {children}
  </span>
)
