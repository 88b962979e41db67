import { tellFault as tell } from '#lib/words/en/faults'
import { words as all } from '#lib/words/en/words'

export const words = all
export const tellFault = tell
