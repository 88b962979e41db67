import { createContext, useContext } from 'react'

/** Where a link leads: what is around it may add to each address. */
export const AddressContext = createContext((address: string): string => address)

export const useAddress = () => useContext(AddressContext)
