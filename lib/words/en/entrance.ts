import { common } from '#lib/words/en/common'
import { signIn } from '#lib/words/en/sign-in'
import type { TranslateFault } from '#lib/words/translation'

/** The texts that sign-in needs. */
export const words = { common, signIn }

/** The API speaks English. */
export const translateFault: TranslateFault = ({ message }) => ({ text: message })
