import type { Language } from '#lib/words/language'

/* Texts for the moments without a catalogue. They are at hand in every language. */

type Broken = { title: string; text: string; again: string }

/** Shown when the catalogue could not be fetched. */
export const brokenWords: Record<Language, Broken> = {
  en: {
    title: 'The console could not be started',
    text: 'A new version may have just been installed. Load the page again. If that does not help, tell your administrator.',
    again: 'Load again',
  },
  es: {
    title: 'No se ha podido iniciar la consola',
    text: 'Puede que se haya instalado una versión nueva hace un momento. Vuelva a cargar la página; si no ayuda, avise a su administrador.',
    again: 'Volver a cargar',
  },
}

/** Shown in all languages where scripts are off: the server does not know the reader's language. */
export const noScriptWords: Record<Language, string> = {
  en: 'This console needs JavaScript. Please turn it on for this site and load the page again.',
  es: 'Esta consola necesita JavaScript. Actívelo para este sitio y vuelva a cargar la página.',
}
