import { common } from '#lib/words/es/common'
import { translateFault as translate } from '#lib/words/es/faults'
import { signIn } from '#lib/words/es/sign-in'

/** The texts that sign-in needs. */
export const words = { common, signIn }
export const translateFault = translate
