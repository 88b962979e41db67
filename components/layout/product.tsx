export const productName = 'Cloud console'
