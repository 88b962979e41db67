import { tellFault as tell } from '#lib/words/es/faults'
import { words as all } from '#lib/words/es/words'

export const words = all
export const tellFault = tell
