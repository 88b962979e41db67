import { common } from '#lib/words/en/common'

/** What the server calls it before a language is known. */
export const productName = common.product
