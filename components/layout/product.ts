/** The name of this installation, which the server writes into the document (`PRODUCT_NAME`). */
export const productName = (): string => document.body.dataset.product ?? ''
