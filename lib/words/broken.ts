import type { Language } from '#lib/words/language'

type Broken = { product: string; title: string; text: string; again: string; errorIcon: string }

/** What is said when no catalogue could be fetched: it is at hand in every language. */
export const brokenWords: Record<Language, Broken> = {
  en: {
    product: 'Cloud console',
    title: 'The console could not be started',
    text: 'A new version may have been installed a moment ago. Load the page again; if that does not help, tell your administrator.',
    again: 'Load again',
    errorIcon: 'Error',
  },
  es: {
    product: 'Consola de la nube',
    title: 'No se ha podido iniciar la consola',
    text: 'Puede que se haya instalado una versión nueva hace un momento. Vuelva a cargar la página; si no ayuda, avise a su administrador.',
    again: 'Volver a cargar',
    errorIcon: 'Error',
  },
}
