import { common } from '#lib/words/es/common'
import { tellFault as tell } from '#lib/words/es/faults'
import { signIn } from '#lib/words/es/sign-in'

/** What is needed to sign in. */
export const words = { common, signIn }
export const tellFault = tell
