/** The name of this installation, which the server writes into the document (`PRODUCT_NAME`). */
export const productName = (): string => document.body.dataset.product ?? ''

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="8" fill="#5246d2"/>' +
  '<path d="M10.6 22.5a4.6 4.6 0 0 1-.5-9.17 6.3 6.3 0 0 1 12.02 1.2 4 4 0 0 1-.72 7.97z" fill="#fff"/></svg>'

/** The drawing of public/favicon.svg as an address that needs no request. */
export const brandMark = `data:image/svg+xml,${encodeURIComponent(drawing)}`
