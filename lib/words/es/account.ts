import type { account as english } from '#lib/words/en/account'
import type { TranslationOf } from '#lib/words/words'

export const account: TranslationOf<typeof english> = {}
