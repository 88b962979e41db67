import type { Language } from '#lib/words/language'

/** What is said where no script runs, and so nobody knows the reader's language: in every language, on the server. */
export const noScriptWords: Record<Language, { product: string; text: string }> = {
  en: {
    product: 'Cloud console',
    text: 'This console needs JavaScript. Please turn it on for this site and load the page again.',
  },
  es: {
    product: 'Consola de la nube',
    text: 'Esta consola necesita JavaScript. Actívelo para este sitio y vuelva a cargar la página.',
  },
}
