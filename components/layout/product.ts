import { common } from '#lib/words/en/common'

/** The name of the product for the server, before a language is known. */
export const productName = common.product
