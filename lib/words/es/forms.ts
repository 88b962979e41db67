import type { forms as english } from '#lib/words/en/forms'
import type { TranslationOf } from '#lib/words/words'

export const forms: TranslationOf<typeof english> = {
  saving: 'Guardando',
  decideFirst: 'Decida primero qué versión conservar.',
  leave: {
    title: '¿Salir sin guardar?',
    text: 'Lo que ha cambiado aquí no está guardado y se perderá.',
    leave: 'Salir',
    stay: 'Quedarse',
  },
  confirm: {
    first: 'Primero escriba {text}',
    typeThis: 'Para confirmar, escriba <text></text>',
    busy: 'Eliminando',
    notYet: 'Todavía no se puede eliminar',
  },
  conflict: {
    title: 'Otra persona lo ha modificado',
    about:
      'Otra persona guardó un cambio mientras usted editaba. Lo que escribió sigue aquí. La versión guardada es:',
    takeTheirs: 'Usar la versión guardada',
    keepMine: 'Guardar lo mío encima',
  },
  reasons: {
    needs: 'Para esto necesita el privilegio «{privilege}» ({name}).',
  },
  faults: {
    length: 'Escriba de {min, number} a {max, number} caracteres.',
    tooLong: 'Escriba {max, number} caracteres como máximo.',
    characters: 'Aquí no se pueden usar caracteres de control.',
  },
}
