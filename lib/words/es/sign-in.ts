import type { signIn as english } from '#lib/words/en/sign-in'
import type { TranslationOf } from '#lib/words/words'

export const signIn: TranslationOf<typeof english> = {}
