import { common } from '#lib/words/en/common'
import { tellFault as tell } from '#lib/words/en/faults'
import { signIn } from '#lib/words/en/sign-in'

/** What is needed to sign in. */
export const words = { common, signIn }
export const tellFault = tell
